#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "recipe.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Returns a sink that writes an offline run of Weights & Biases:
/// <folder>/wandb/offline-run-DATE-ID/run-ID.wandb, DATE in UTC. A start after the first one writes
/// the same file anew, because nothing may follow the record of an exit; ID and DATE stay, so W&B
/// takes all for one run. Throws knead::Error if the file cannot be created.
///
/// W&B wants steps to ascend and one row for each: the numbers of a report and of the evaluations
/// at its step are one row; an evaluation of an earlier step (the test set, with the best weights)
/// is part of the last row, which then has SET/step too.
std::unique_ptr<Sink> make_wandb(const recipe::WandbSink& kind, const About& about, Warn warn);

/// Cuts records into the fragments of a file of W&B, which is a log of LevelDB with other
/// checksums: blocks of 32,768 bytes, fragments with a CRC-32 (IEEE), a length and a type.
class WandbLog {
 public:
  /// Returns what a file begins with. Must be called once, before the first record.
  std::string header();

  /// Returns the bytes that follow in the file for a record.
  std::string record(std::string_view data);

 private:
  std::size_t used_ = 0;  // bytes of the present block
};

}  // namespace knead::track
