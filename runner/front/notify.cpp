#include "runner/front/notify.h"

#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/launch/brief_call.h"
#include "schema/document/standard_streams.h"

namespace knead::front {

void notify(const recipe::Recipe& recipe, const run::RunEnding& ending) {
  const auto notices = run::notices_of(recipe, ending);
  if (notices.empty()) return;
  // The engine needs half a second to start, and gives each server 5 s.
  constexpr std::chrono::seconds kPatience{7};
  try {
    // The engine itself has warned unless it was killed.
    launch::call_briefly({ready_engine(), {"notify"}}, run::to_lines(notices), kPatience);
  } catch (const Error& error) {
    tell(fmt::format("warning: nobody is told of the end: {}\n", error.what()));
  }
}

}  // namespace knead::front
