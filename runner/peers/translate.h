#pragma once

#include <string>

#include "runner/peers/draft.h"
#include "runner/peers/theirs.h"
#include "schema/document/quantity.h"

namespace knead::peers {

/// What is at hand while a file becomes a recipe. The functions below each write one part of it.
struct Translation {
  Theirs& theirs;
  Draft& draft;
  std::string stem;   // of the file's name
  int processes = 0;  // that their run had, as the command line says; 0: it does not
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
void translate_unplaced(Translation& in);  // lines that keys seem to say that are not known; last

/// Whether they evaluate while training goes on.
bool evaluates(Theirs& theirs);

/// "20 epochs".
std::string quantity(double value, schema::Unit unit);

/// "0.1" of the run: in its steps, or else in its epochs. Empty where its length is not known.
std::string share_of_run(Theirs& theirs, double share);

/// A key of theirs as a number of steps; one below 1 is a share of the run. Empty where it is
/// neither.
std::string steps_in_words(Theirs& theirs, Part part);

/// Adds such a key to a line.
Setting& say_steps(Setting& line, Item* item);

/// The last name of a dotted one, in lower case: "adamw" for torch.optim.AdamW.
std::string last_name(const std::string& dotted);

}  // namespace knead::peers
