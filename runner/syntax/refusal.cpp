#include "runner/syntax/refusal.h"

#include <fmt/format.h>

#include "schema/document/problem_text.h"
#include "schema/document/shown_text.h"

namespace knead::syntax {

Refusal::Refusal(std::string code, schema::Place place, std::string message, std::string remedy)
    // The text of the exception repeats the place for catchers that know only knead::Error.
    : Error(fmt::format("{}: {}", schema::to_string(place), message), remedy),
      problem_{std::move(code), std::move(place), std::move(message), std::move(remedy)} {}

std::string to_text(const Refusal& refusal, bool colour) {
  std::string out = schema::to_text({refusal.problem()}, colour);
  const auto add = [&](std::string_view what, const schema::Place& place) {
    const std::string_view line = place.source->line(place.line());
    // Indentation means nothing for a line that is shown alone.
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    constexpr std::size_t kMostBytes = 300;
    out += fmt::format(
        "      = {} at {}\n", what,
        schema::shortened(
            schema::shown_text(fmt::format("{}: {}", schema::to_string(place), line.substr(begin))),
            kMostBytes));
  };
  for (const schema::Place& call : refusal.calls) add("called", call);
  for (const schema::Place& place : refusal.needed) add("needed", place);
  return out;
}

}  // namespace knead::syntax
