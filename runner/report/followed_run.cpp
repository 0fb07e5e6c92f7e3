#include "runner/report/followed_run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/files/file.h"
#include "runner/files/lock.h"
#include "runner/files/open_file.h"
#include "runner/report/readable_text.h"
#include "runner/run/names.h"

namespace knead::report {
namespace {

namespace fs = std::filesystem;

/// The reference reader of safetensors allows 100 MB; that of a model with a million tensors has
/// less than this.
constexpr std::uint64_t kLongestHeader = 32 << 20;

std::string name_of(const fs::path& folder) {
  std::error_code failure;
  const fs::path real = fs::canonical(folder, failure);
  return readable_text((failure ? folder : real).filename().string());
}

const checkpoint::Listed* newest(const std::vector<checkpoint::Listed>& checkpoints) {
  for (auto each = checkpoints.rbegin(); each != checkpoints.rend(); ++each)
    if (each->manifest) return &*each;
  return nullptr;
}

/// Returns the length of the header of a safetensors file, its first 8 bytes.
std::uint64_t header_length(const files::OpenFile& file) {
  std::array<std::byte, 8> bytes{};
  file.read(0, bytes);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return length;
}

}  // namespace

FollowedRun::FollowedRun(fs::path folder, std::size_t columns)
    : files_(std::make_unique<ContainedFiles>(std::move(folder))),
      curves_(*files_, files_->root(), columns),
      evaluations_(*files_, files_->root()),
      generated_(*files_, files_->root()),
      predictions_(*files_, files_->root()),
      log_(*files_, files_->root()) {}

template <class Read>
void FollowedRun::attempt(Read read) {
  try {
    read();
  } catch (const files::FileError& error) {
    const bool is_link = error.number() == ELOOP || error.number() == ENOTDIR;
    facts_.notes.push_back(readable_text(error.what()) +
                           (is_link ? " (a report follows no links)" : ""));
  } catch (const Error& error) {
    facts_.notes.push_back(readable_text(error.what()));
  } catch (const nlohmann::json::exception&) {
    facts_.notes.emplace_back("a manifest has not the form that knead gives it");
  }
}

std::string FollowedRun::text_of(const char* name) {
  try {
    return files::read_small(*files_, folder() / name, ContainedFiles::kMostBytes);
  } catch (const files::FileError& error) {
    if (error.number() == ENOENT) return "";
    throw;
  }
}

bool FollowedRun::read_on() {
  const run::RunState before = facts_.state;
  facts_ = {};
  facts_.name = name_of(folder());
  bool has_more = false;
  attempt([&] { has_more = curves_.read_on() || has_more; });
  attempt([&] { has_more = evaluations_.read_on() || has_more; });
  attempt([&] { has_more = generated_.read_on() || has_more; });
  attempt([&] { has_more = predictions_.read_on() || has_more; });
  attempt([&] { has_more = log_.read_on() || has_more; });
  read_facts();
  for (std::string& note : curves_.notes()) facts_.notes.push_back(std::move(note));
  for (std::string& note : evaluations_.notes()) facts_.notes.push_back(std::move(note));
  for (std::string& note : generated_.notes()) facts_.notes.push_back(std::move(note));
  for (const auto& [step, note] : predictions_.notes()) facts_.notes.push_back(note);
  return has_more || facts_.state != before;
}

void FollowedRun::read_facts() {
  attempt([&] { read_recipe(); });
  attempt([&] { read_checkpoints(); });
  attempt([&] { read_tensors(); });
  std::optional<run::EndState> end;
  attempt([&] {
    const std::string text = text_of(run::kEndFile);
    if (!text.empty()) end = run::end_state_in(text);
  });
  attempt([&] {
    const files::LockState lock = files::look_at_lock(folder());
    facts_.state = run::state_of(lock, facts_.checkpoints, end);
    facts_.holder = readable_text(lock.holder);
  });
  if (facts_.state == run::RunState::finished || facts_.state == run::RunState::failed)
    facts_.end = end;
  for (const auto& [name, value] : curves_.last())
    if (name == "step" && value >= 0 && value < 1e18)
      facts_.step = static_cast<std::uint64_t>(value);
  if (const auto saved = run::saved_step(facts_.checkpoints))
    facts_.step = std::max(facts_.step, *saved);
  facts_.best = plan::best_value(evaluations(), facts_.monitor);
}

void FollowedRun::read_recipe() {
  std::string text = text_of(run::kResolvedFile);
  if (text.empty()) text = text_of(run::kRecipeFile);
  facts_.recipe = stored_recipe(readable_text(text));
  facts_.monitor = facts_.recipe.monitor();
}

void FollowedRun::read_checkpoints() {
  facts_.checkpoints = checkpoint::list_checkpoints(*files_, folder());
  const checkpoint::Listed* const last = newest(facts_.checkpoints);
  if (!last) return;
  const nlohmann::json& facts = last->manifest->facts;
  if (!facts.is_object()) return;
  for (const nlohmann::json& word : facts.value("execution", nlohmann::json::array()))
    facts_.environment.push_back(word.get<std::string>());
  facts_.is_mixed_environment = facts.value("mixed_execution", false);
}

void FollowedRun::read_tensors() {
  for (auto each = facts_.checkpoints.rbegin(); each != facts_.checkpoints.rend(); ++each) {
    if (!each->manifest || !each->manifest->files.contains(checkpoint::kModelFile)) continue;
    const fs::path path = each->folder / checkpoint::kModelFile;
    const files::OpenFile file(path, files_->open_large(path));
    if (header_length(file) > kLongestHeader)
      throw Error(fmt::format("{} has a header of more than 32 MB", path.string()));
    facts_.tensors = files::read_safetensors_header(file).tensors;
    return;
  }
}

FollowedRun read_run(const fs::path& folder, std::size_t columns) {
  FollowedRun run(folder, columns);
  run.read_on();
  return run;
}

}  // namespace knead::report
