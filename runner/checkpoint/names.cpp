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

/// Returns the number behind "step-"; std::nullopt if the rest of the name is not a number.
std::optional<std::uint64_t> number_in(std::string_view name) {
  constexpr std::string_view kStep = "step-";
  if (!name.starts_with(kStep)) return std::nullopt;
  name.remove_prefix(kStep.size());
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (failure != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

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
  return !name.starts_with('.') && name.ends_with(".safetensors") &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

}  // namespace knead::checkpoint
