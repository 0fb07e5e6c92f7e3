#pragma once

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Chooses how many threads compute an operation, where the recipe leaves it open: from the work of
/// forward for one micro-batch, see plan::resolve_threads(). A model with many weights needs no
/// look; else the first sample of `set` goes through it. The number is the same for the same
/// recipe, model and machine, so that a run which is resumed computes the same bits. What the model
/// holds does not change. Runs forward, so that Model::watch() must come before. From then on the
/// threads give way to other processes, see watch_spinning().
void choose_threads(recipe::Recipe& recipe, model::Model& model, const data::Set& set,
                    const FeedFields& fields);

inline void choose_threads(Job& job) {
  choose_threads(job.recipe, *job.trained.model, job.sets.train, job.fields);
}

}  // namespace knead::engine
