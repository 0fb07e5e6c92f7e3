#pragma once

#include <string>

#include "runner/peers/draft.h"
#include "runner/peers/theirs.h"
#include "schema/document/quantity.h"

namespace knead::peers {

/// The state of an import. Each of the functions below translates one part of the recipe.
struct Translation {
  Theirs& theirs;
  Draft& draft;
  std::string stem;   // file name without its ending
  int processes = 0;  // of the original run, from the command line; 0: not given
};

void translate_run(Translation& in);          // name, output, seed, device, deterministic
void translate_model(Translation& in);        // model
void translate_data(Translation& in);         // data
void translate_loss(Translation& in);         // loss
void translate_batch(Translation& in);        // batch
void translate_optimizer(Translation& in);    // optimizer, clip
void translate_schedule(Translation& in);     // schedule
void translate_precision(Translation& in);    // precision
void translate_length(Translation& in);       // train
void translate_evaluation(Translation& in);   // evaluate, early_stopping
void translate_checkpoints(Translation& in);  // checkpoint
void translate_reports(Translation& in);      // track
void translate_memory(Translation& in);       // activation_checkpointing, profile
void translate_unplaced(Translation& in);  // lines for unknown keys with a probable meaning; last

/// Returns whether the other trainer evaluates during training.
bool evaluates(Theirs& theirs);

/// Returns a quantity as recipe text: "20 epochs".
std::string quantity(double value, schema::Unit unit);

/// Converts a share of the run, such as 0.1, to steps, or to epochs if the file has no steps.
/// Returns an empty text if the length of the run is unknown.
std::string share_of_run(Theirs& theirs, double share);

/// Converts the key for a part to a quantity of steps; a value below 1 is a share of the run.
/// Returns an empty text if it is neither.
std::string steps_in_words(Theirs& theirs, Part part);

/// Adds a key of steps_in_words() to a line, with a note if it is a share.
Setting& say_steps(Setting& line, Item* item);

/// Returns the last name of a dotted one in lower case: "adamw" for torch.optim.AdamW.
std::string last_name(const std::string& dotted);

}  // namespace knead::peers
