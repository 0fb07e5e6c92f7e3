#include "tests/board/written_run.h"

#include <fstream>

#include <fmt/format.h>

#include "runner/track/tracker.h"
#include "tests/folder.h"

namespace knead::tests {

namespace fs = std::filesystem;

WrittenRun::WrittenRun(const fs::path& folder, const std::string& until) : folder_(folder) {
  fs::create_directories(folder);
  lock_ = std::make_unique<files::Lock>(folder);
  write_text(folder / "resolved.yaml",
             "version: 1\ntrain:\n  until: " + until +
                 "\nevaluate:\n  monitor: validation/accuracy\n  metrics:\n    - type: accuracy\n");
}

void WrittenRun::add(const std::string& text) {
  std::ofstream(folder_ / "metrics.jsonl", std::ios::app) << text;
}

void WrittenRun::report(std::uint64_t step, double loss) {
  step_ = step;
  add(fmt::format(R"({{"step":{},"epoch":{},"samples":{},"time":{},"loss":{},"lr":0.001,)"
                  R"("gradient_norm":1.5,"samples_per_second":3200,"data_wait":0,"skipped":0}})"
                  "\n",
                  step, static_cast<double>(step) / 50, step * 32, static_cast<double>(step) / 100,
                  loss));
}

void WrittenRun::evaluated(const plan::Evaluation& evaluation) {
  std::ofstream(folder_ / "evaluations.jsonl", std::ios::app) << track::to_text({evaluation});
}

void WrittenRun::cut_to(std::size_t lines) {
  const std::string text = text_of(folder_ / "metrics.jsonl");
  std::size_t end = 0;
  for (; lines > 0; --lines) end = text.find('\n', end) + 1;
  fs::resize_file(folder_ / "metrics.jsonl", end);
}

void WrittenRun::finish() {
  fs::create_directories(folder_ / "checkpoints" / fmt::format("step-{:08}", step_));
  write_text(folder_ / "end.json",
             fmt::format("{{\"step\": {}, \"stopped_early\": null}}\n", step_));
  let_go();
}

}  // namespace knead::tests
