#include "runner/engine/train/shared_saves.h"

#include <fmt/format.h>

#include "runner/checkpoint/layout.h"
#include "runner/checkpoint/names.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/train/equal_state.h"
#include "runner/engine/train/parts.h"
#include "runner/engine/train/sharded_snapshot.h"
#include "schema/document/json_text.h"

namespace knead::engine {

SharedSaves::SharedSaves(Job& job, run::Progress& progress, const track::Tracker& tracker,
                         run::Saver* saver, files::FileSystem& disk,
                         const std::filesystem::path& run_folder, const nlohmann::json& facts)
    : trained_(job.trained),
      shards_(*job.shards),
      group_(*job.group),
      progress_(progress),
      tracker_(tracker),
      saver_(saver),
      folder_(checkpoint::checkpoints_folder(run_folder)),
      facts_(facts),
      writer_(disk, job.recipe.checkpoint.async) {}

bool SharedSaves::offer() {
  if (is_writing_ || !group_.of_first(saver_ && saver_->is_free())) return false;
  begin();
  return true;
}

void SharedSaves::save_next() {
  end_earlier();
  if (!is_saved()) begin();
}

void SharedSaves::save_now() {
  end_earlier();
  if (is_saved()) return;
  if (begin()) publish();
  if (saver_) saver_->expect_saved();
}

/// Waits until an earlier save is published or has failed.
void SharedSaves::end_earlier() {
  if (is_writing_) publish();
  if (saver_) saver_->wait();
}

bool SharedSaves::is_saved() { return group_.of_first(saver_ && saver_->is_saved(progress_.step)); }

/// Copies what this rank writes and starts to write it. Returns false if that is not possible on
/// all ranks; rank 0 has then said why.
bool SharedSaves::begin() {
  const Owners owners = owners_of(trained_, progress_);
  expect_equal_state(owners, group_, &shards_);
  const std::vector<std::string> generators = group_.gather(GeneratorState().text());
  std::optional<checkpoint::RankParts> parts = take_rank_parts(owners, shards_);
  const std::vector<std::string> offers =
      group_.gather(parts ? std::to_string(checkpoint::size_on_disk(parts->parts)) : "");
  if (saver_)
    shared_ = {progress_.step, {}, state_of(owners, tracker_.positions(), generators), facts_, {}};
  const std::string name = group_.of_first(saver_ ? open_folder(offers) : "");
  if (name.empty()) return false;
  shared_.folder = folder_ / name;
  writer_.start(shared_.folder, std::move(*parts));
  is_writing_ = true;
  return true;
}

/// Creates the folder for a save and returns its name; empty if a rank has no memory for its copy
/// or the folder cannot be created. `offers`: by rank the bytes that it will write, or nothing.
std::string SharedSaves::open_folder(const std::vector<std::string>& offers) {
  std::uint64_t size = checkpoint::size_on_disk(
      {{checkpoint::kStateFile, schema::json_text(shared_.state)}}, facts_);
  for (std::size_t rank = 0; rank < offers.size(); ++rank) {
    if (offers[rank].empty()) {
      saver_->note_failure(
          {progress_.step,
           fmt::format("step {} is not saved: rank {}: there is no memory for a copy of the "
                       "weights and the state",
                       progress_.step, rank),
           "free some memory, or make batch.micro smaller, and run it again"});
      return "";
    }
    size += std::stoull(offers[rank]);
  }
  const auto folder = saver_->begin_shared(progress_.step, size);
  return folder ? folder->filename().string() : "";
}

void SharedSaves::publish() {
  const std::vector<std::string> results = group_.gather(checkpoint::to_text(writer_.take()));
  is_writing_ = false;
  if (!saver_) return;
  for (const std::string& result : results)
    shared_.ranks.push_back(checkpoint::rank_result(result));
  saver_->seal(std::move(shared_));
}

}  // namespace knead::engine
