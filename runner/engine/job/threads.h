#pragma once

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Chooses how many threads compute an operation if the recipe leaves `threads` open: from the work
/// of forward for one micro-batch, see plan::resolve_threads(). Writes the number to
/// `recipe.threads` and sets it in LibTorch. A GPU, and a CPU model whose weights alone show enough
/// work, get all cores; for other models the first sample of `set` runs through forward, on the
/// present threads.
///
/// The number is the same for the same recipe, model and machine, so that a resumed run computes
/// the same bits. Leaves weights, buffers and random numbers as they were, and the model in train
/// mode if it ran. Because it may run forward, Model::watch() must come before. From then on the
/// threads give way to other processes, see watch_spinning(). Throws nothing if forward fails: the
/// run reports that itself.
void choose_threads(recipe::Recipe& recipe, model::Model& model, const data::Set& set,
                    const FeedFields& fields);

/// Chooses the threads of a model without samples: an operation applies each matrix of the model to
/// `rows` rows, as to the tokens of a text. Writes and sets the number as the other function.
void choose_threads(recipe::Recipe& recipe, const model::Model& model, double rows);

/// Chooses the threads of a job by its training set.
inline void choose_threads(Job& job) {
  choose_threads(job.recipe, *job.trained.model, job.sets.train, job.fields);
}

}  // namespace knead::engine
