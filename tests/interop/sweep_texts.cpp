#include <filesystem>
#include <fstream>

#include "runner/sweep/output/junit_report.h"
#include "runner/sweep/output/optuna_journal.h"
#include "runner/sweep/output/summary.h"
#include "runner/sweep/output/sweep_lines.h"
#include "runner/sweep/output/sweep_table.h"
#include "tests/sweep/output/outcomes.h"

// Writes what a sweep with a trial in each state leaves behind, for readers that others wrote:
// sweep_texts FOLDER.

namespace {

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

int main(int, char** arguments) {
  using namespace knead::sweep;
  const std::filesystem::path folder = arguments[1];
  const Outcome outcome = one_of_each();
  write_text(folder / kLinesFile, sweep_lines(outcome));
  write_text(folder / kTableFile, sweep_table(outcome));
  write_text(folder / kJournalFile, optuna_journal(outcome));
  write_text(folder / "junit.xml", junit_report(outcome));
  write_text(folder / "summary.md", summary_markdown(outcome));
}
