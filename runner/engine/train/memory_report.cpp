#include "runner/engine/train/memory_report.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/model/explain/machine_failure.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/byte_words.h"

namespace knead::engine {
namespace {

constexpr std::int64_t kSmall = 1 << 20;  // bytes that the message omits

/// Returns the memory of a trained model as the end of a message: "; besides, there are parameters
/// of 1.3 GB, gradients of 1.3 GB". Empty if all of it is small.
std::string holdings(const Trained& trained) {
  const std::pair<const char*, std::int64_t> kinds[] = {
      {"parameters", count_bytes(trained.model->parameters())},
      {"gradients", count_bytes(gradients_of(trained.model->parameters()))},
      {"state of the optimizer", count_bytes(trained.optimizer->state())},
      {"averaged weights", trained.average ? count_bytes(trained.average->state()) : 0}};
  std::vector<std::string> words;
  for (const auto& [name, bytes] : kinds) {
    if (bytes > kSmall)
      words.push_back(
          fmt::format("{} of {}", name, schema::byte_words(static_cast<double>(bytes))));
  }
  return words.empty() ? "" : fmt::format("; besides, there are {}", fmt::join(words, ", "));
}

}  // namespace

void with_memory_report(const Trained& trained, const std::function<void()>& work) {
  try {
    model::with_machine_failures_told(work);
  } catch (const model::OutOfMemory& error) {
    throw model::OutOfMemory(error.what() + holdings(trained));
  }
}

}  // namespace knead::engine
