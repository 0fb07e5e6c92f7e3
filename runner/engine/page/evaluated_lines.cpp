#include "runner/engine/page/evaluated_lines.h"

#include <fmt/format.h>

#include "runner/run/summary.h"
#include "schema/document/count_words.h"

namespace knead::engine {

std::string evaluated_lines(const recipe::Evaluate& evaluate) {
  std::string text;
  if (evaluate.samples > 0)
    text += run::summary_line(
        "keep", fmt::format("{} of the worst and of the best predictions of each evaluation",
                            evaluate.samples));
  if (!evaluate.generate) return text;
  const auto prompts = static_cast<std::int64_t>(evaluate.generate->prompts.size());
  return text + run::summary_line(
                    "write", fmt::format("{} behind {}, at each evaluation",
                                         schema::count_words(evaluate.generate->tokens, "token"),
                                         schema::count_words(prompts, "prompt")));
}

}  // namespace knead::engine
