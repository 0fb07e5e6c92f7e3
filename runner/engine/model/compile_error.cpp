#include <algorithm>

#include "runner/engine/model/compiler.h"

namespace knead::engine::model {
namespace {

struct Rewording {
  const char* theirs;  // what the message begins with or contains
  const char* ours;
  const char* remedy;
};

// Messages whose own words say nothing to somebody who writes PyTorch.
constexpr Rewording kRewordings[] = {
    {"Because we emit iteration over modulelists", "a loop over modules runs to its end",
     "let a condition decide what each of them does"},
    {"Can't determine the type of list elements for an empty list",
     "what this list holds is not known", "say it: items: list[Tensor] = []"},
};

std::string remedy_of(const std::string& message) {
  if (message.find("previously had type") != message.npos) {
    return "a variable has one type in a method: use another name";
  }
  if (message.find("is not defined in the") != message.npos) return "set it before the 'if'";
  return "";
}

// "Arguments for call are not valid" lists every variant of an operator with why it does not fit:
// the reason of the first whose first argument does.
std::string shortened(const std::string& cause) {
  const bool names_operator = cause.starts_with("aten::") || cause.starts_with("prim::");
  const bool lists_variants = cause.find("The following variants are available") != cause.npos;
  if (!names_operator && !lists_variants) return cause;
  std::string reason;
  for (std::size_t at = 0; at < cause.size();) {
    const std::size_t end = std::min(cause.find('\n', at), cause.size());
    std::string line = cause.substr(at, end - at);
    at = end + 1;
    const std::size_t begin = line.find_first_not_of(' ');
    line = begin == line.npos ? "" : line.substr(begin);
    const bool is_about_first =
        line.find("argument 'self'") != line.npos || line.find("argument 'input'") != line.npos;
    const bool is_reason = line.starts_with("Expected") || line.starts_with("Argument ") ||
                           line.starts_with("Unknown") || line.starts_with("Could not");
    if (!is_reason) continue;
    if (reason.empty() || !is_about_first) reason = line;
    if (!is_about_first) break;
  }
  return reason.empty() ? first_sentence(cause) : first_sentence(reason);
}

}  // namespace

void throw_compile_error(const std::string& text, const Sources& sources) {
  Trace trace = read_compile_trace(text);
  // What is missing in a branch is shown where it is used.
  if (text.find("\nand was used here:") != text.npos) trace.frames.erase(trace.frames.begin());
  std::string message = first_sentence(shortened(trace.cause));
  std::string remedy = remedy_of(message);
  for (const Rewording& rewording : kRewordings) {
    if (message.find(rewording.theirs) == message.npos) continue;
    message = rewording.ours;
    remedy = rewording.remedy;
  }
  for (const Frame& frame : trace.frames) {
    if (const schema::Place place = place_of(frame, sources)) {
      throw syntax::Refusal("model-refused", place, message, remedy);
    }
  }
  throw Error(message, remedy);
}

}  // namespace knead::engine::model
