#include "runner/engine/model/out_of_memory.h"

#include <regex>
#include <string>

#include <fmt/format.h>

#include "runner/engine/tensor_words.h"
#include "runner/syntax/refusal.h"
#include "schema/error.h"

namespace knead::engine::model {
namespace {

/// "this machine has no memory for a tensor of 20.0 MiB"; empty where it is about something else.
std::string in_words(const std::string& text) {
  static const std::regex kHost(R"(you tried to allocate (\d+) bytes)");
  static const std::regex kGpu(R"(CUDA out of memory\. Tried to allocate ([0-9.]+ \w+)\.)"
                               R"((?: GPU \d+ has a total capacity of ([0-9.]+ \w+) of which )"
                               R"(([0-9.]+ \w+) is free\.)?)");
  std::smatch found;
  if (std::regex_search(text, found, kHost))
    return "this machine has no memory for a tensor of " + size_words(std::stod(found[1].str()));
  if (std::regex_search(text, found, kGpu))
    return "the GPU has no memory for a tensor of " + found[1].str() +
           (found[2].matched
                ? fmt::format(": of its {}, {} are free", found[2].str(), found[3].str())
                : "");
  return "";
}

}  // namespace

OutOfMemory::OutOfMemory(const std::string& message)
    : Error(message,
            "make batch.micro smaller, which changes no number, or name blocks of the model in "
            "activation_checkpointing; 'knead plan' says what takes how much",
            Exit::training_failed) {}

void throw_if_out_of_memory(std::string_view text, const Sources& sources) {
  const std::string message = in_words(std::string(text));
  if (message.empty()) return;
  std::string place;
  try {
    throw_run_error(text, sources, [&](const std::string&) { return Explanation{message, ""}; });
  } catch (const syntax::Refusal& refusal) {
    place = schema::to_string(refusal.problem().place) + ": ";
  } catch (const Error&) {
    place = "";  // nobody knows
  }
  throw OutOfMemory(place + message);
}

}  // namespace knead::engine::model
