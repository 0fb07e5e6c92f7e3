#pragma once

#include <string>

#include "runner/peers/draft.h"
#include "runner/peers/theirs.h"
#include "schema/document/quantity.h"

namespace knead::peers {

/// The state of an import, which the functions below share. Each of them translates one part of the
/// recipe: it adds lines to the draft, marks the keys that it used as taken, and marks the others
/// that it looks for as idle. They do no I/O and throw nothing for unexpected values, which leave a
/// line open or end in a comment. The order of the declarations is the order of calls: later
/// functions ask whether earlier ones wrote a line, such as data.validation.
struct Translation {
  Theirs& theirs;
  Draft& draft;
  /// Name of the imported file without its ending, for a run that the file does not name.
  std::string stem;
  /// Number of processes of the original run from the command line; 0: not given, so the file
  /// decides.
  int processes = 0;
};

/// Writes version, name, output, seed, device, threads and deterministic. The last folder of the
/// other trainer's output path becomes the name of a run that has none.
void translate_run(Translation& in);
/// Leaves model.source open, because no configuration file holds the source of a model.
void translate_model(Translation& in);
/// Writes data: the sets, their order and the threads that read them. Files with a known ending
/// become sets that are read from them; a trainer of language models gets a set of text.
void translate_data(Translation& in);
/// Writes loss. The type is open unless a key, the trainer or label smoothing shows that it is the
/// cross entropy.
void translate_loss(Translation& in);
/// Writes distributed: how many processes train, if there were several, and what DDP was told. The
/// processes of several machines are divided by the number of machines.
void translate_ranks(Translation& in);
/// Writes distributed.strategy and replicas: what each rank held under ZeRO or FSDP.
/// translate_ranks calls it.
void translate_strategy(Translation& in);
/// Writes distributed.offload. translate_ranks calls it.
void translate_offload(Translation& in);
/// Writes batch.size, the samples of a step of all processes together, and batch.micro if the
/// trainer divides a step. Leaves the size open if the keys do not tell it.
void translate_batch(Translation& in);
/// Writes optimizer, with the groups that the trainer makes by itself, and clip.
void translate_optimizer(Translation& in);
/// Writes schedule. A schedule that knead does not have is left out with a reason.
void translate_schedule(Translation& in);
/// Writes precision.compute. A named precision goes before the type of the weights, and this before
/// the switches, of which bf16 goes before fp16 and tf32.
void translate_precision(Translation& in);
/// Writes train.until. A number of steps goes before one of epochs, as in the other trainers.
void translate_length(Translation& in);
/// Writes evaluate and early_stopping if the draft has data.validation; without that set, their
/// keys are idle.
void translate_evaluation(Translation& in);
/// Writes checkpoint. A switch for resuming is not needed, because every run resumes by itself; the
/// path of a checkpoint has no counterpart.
void translate_checkpoints(Translation& in);
/// Writes track.
void translate_reports(Translation& in);
/// Writes activation_checkpointing, whose modules stay open, and profile.
void translate_memory(Translation& in);
/// Opens the lines that unknown keys probably mean, even if another function has written them.
/// Called last.
void translate_unplaced(Translation& in);

/// Returns the number of processes of the original run that shared a step, on all machines
/// together; 1 if nothing tells it.
double number_of_processes(Translation& in);

/// Returns whether the other trainer evaluates during training, as far as its keys tell: a strategy
/// decides, then a positive interval, then a validation set.
bool evaluates(Theirs& theirs);

/// Returns a quantity as recipe text: "20 epochs".
std::string quantity(double value, schema::Unit unit);

/// Converts a share of the run, such as 0.1, to whole steps (at least 1), or to epochs if the file
/// has no steps: "100 steps", "0.3 epochs". Returns an empty text if the length of the run is
/// unknown.
std::string share_of_run(Theirs& theirs, double share);

/// Converts the key for a part to a quantity of whole steps; a value between 0 and 1 is a share of
/// the run, as in transformers. Returns an empty text if it is neither, or if it is a share and the
/// length of the run is unknown.
std::string steps_in_words(Theirs& theirs, Part part);

/// Adds a key that steps_in_words() has converted to a line, with a note if it is a share. Returns
/// the line.
Setting& say_steps(Setting& line, Item* item);

/// Returns the last name of a dotted one in lower case: "adamw" for torch.optim.AdamW.
std::string last_name(const std::string& dotted);

}  // namespace knead::peers
