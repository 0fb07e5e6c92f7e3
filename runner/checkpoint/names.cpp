#include "runner/checkpoint/names.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "runner/files/folders.h"

namespace knead::checkpoint {

namespace {

constexpr std::string_view kBad = "bad-";
constexpr std::string_view kTemporary = ".tmp-";
constexpr std::size_t kRandomDigits = 32;
constexpr std::string_view kTensors = ".safetensors";

/// Returns the number that a text is; std::nullopt if it is none.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns the number behind "step-"; std::nullopt if the rest of the name is not a number.
std::optional<std::uint64_t> number_in(std::string_view name) {
  constexpr std::string_view kStep = "step-";
  if (!name.starts_with(kStep)) return std::nullopt;
  name.remove_prefix(kStep.size());
  return number_of<std::uint64_t>(name);
}

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string shard_name(const ShardFile& shard) {
  const std::string_view stem(shard.file.data(), shard.file.size() - kTensors.size());
  return fmt::format("{}-{:05}-of-{:05}{}", stem, shard.shard + 1, shard.shards, kTensors);
}

std::optional<ShardFile> shard_of(const std::string& name) {
  constexpr std::string_view kOf = "-of-";
  if (!name.ends_with(kTensors)) return std::nullopt;
  const std::string stem = name.substr(0, name.size() - kTensors.size());
  const std::size_t of = stem.rfind(kOf);
  if (of == std::string::npos || of == 0) return std::nullopt;
  const std::size_t dash = stem.rfind('-', of - 1);
  if (dash == std::string::npos) return std::nullopt;
  const auto number = number_of<int>(std::string_view(stem).substr(dash + 1, of - dash - 1));
  const auto shards = number_of<int>(std::string_view(stem).substr(of + kOf.size()));
  if (!number || !shards || *number < 1 || *number > *shards) return std::nullopt;
  ShardFile shard{stem.substr(0, dash) + std::string(kTensors), *number - 1, *shards};
  // Each shard has one name: "model-1-of-4" is that of no shard.
  if (shard_name(shard) != name) return std::nullopt;
  return shard;
}

std::filesystem::path checkpoints_folder(const std::filesystem::path& run_folder) {
  return run_folder / "checkpoints";
}

std::string step_name(std::uint64_t step) { return fmt::format("step-{:08}", step); }

std::optional<std::uint64_t> step_of(const std::string& name) {
  const std::optional<std::uint64_t> step = number_in(name);
  // Each step has one name: "step-500" is not a checkpoint's.
  if (!step || step_name(*step) != name) return std::nullopt;
  return step;
}

std::string bad_name(std::uint64_t step, int n) {
  return fmt::format("{}{}-{}", kBad, step_name(step), n);
}

std::optional<std::uint64_t> step_of_bad(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (!name.starts_with(kBad) || dash < kBad.size()) return std::nullopt;
  return step_of(name.substr(kBad.size(), dash - kBad.size()));
}

std::string new_temporary_name() { return std::string(kTemporary) + files::random_name(); }

// The whole pattern is compared, because folders with such names are deleted without a look inside.
bool is_temporary(const std::string& name) {
  return name.starts_with(kTemporary) && name.size() == kTemporary.size() + kRandomDigits &&
         is_hexadecimal(std::string_view(name).substr(kTemporary.size()));
}

bool is_tensor_file(const std::string& name) {
  return !name.starts_with('.') && name.ends_with(kTensors) &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

}  // namespace knead::checkpoint
