#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/report/growing_lines.h"
#include "runner/report/page.h"
#include "runner/track/generated_text.h"

namespace knead::report {

/// Follows the generated.jsonl of a run: the texts of its first and of its last evaluations, in
/// bounded memory. A line that is no text is counted and left out. Not thread-safe.
class GeneratedTextJournal {
 public:
  /// Borrows `files`. Reads nothing yet.
  GeneratedTextJournal(ContainedFiles& files, const std::filesystem::path& run_folder);

  /// Reads the lines that were appended. Returns whether there were any. Throws files::FileError.
  bool read_on();

  /// Returns the texts in the order of the journal, as readable_text().
  std::vector<track::GeneratedText> texts() const;

  /// Returns how many texts between the first and the last ones were left out.
  std::uint64_t omitted() const { return omitted_; }

  /// Returns a sentence for each kind of line that could not be read.
  std::vector<std::string> notes() const;

 private:
  void take(std::string_view line);
  void forget();

  GrowingLines lines_;
  std::vector<track::GeneratedText> first_;
  std::deque<track::GeneratedText> last_;
  std::uint64_t taken_ = 0;
  std::uint64_t omitted_ = 0;
  std::uint64_t unreadable_ = 0;
};

/// Adds a section with the texts by step, the last ones first. Nothing if there are none.
void add_generated_texts(const GeneratedTextJournal& journal, std::vector<Section>& sections);

}  // namespace knead::report
