#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "runner/plan/evaluations.h"
#include "runner/track/generated_text.h"
#include "runner/track/report.h"

namespace knead::track {

/// Reads a journal line by line, from its beginning, also while a run appends to it. Needs constant
/// memory. Item: Report for metrics.jsonl, plan::Evaluation for evaluations.jsonl, GeneratedText
/// for generated.jsonl.
template <class Item>
class JournalReader {
 public:
  /// Reads at most the first `end` bytes of the file, which need not exist yet.
  explicit JournalReader(std::filesystem::path path,
                         std::uint64_t end = std::numeric_limits<std::uint64_t>::max());
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  /// Returns the next item; std::nullopt if no further whole line is there now. Throws knead::Error
  /// if the file cannot be read, or with file and line if a line cannot be parsed.
  std::optional<Item> next();

 private:
  /// Appends the next block of the file to the text. Returns false if there is none.
  bool read_block();

  std::filesystem::path path_;
  std::uint64_t end_;
  int file_ = -1;
  std::uint64_t read_ = 0;  // bytes of the file that were read
  std::string text_;        // read bytes, of which those before at_ are used up
  std::size_t at_ = 0;
  std::uint64_t lines_ = 0;  // lines that were returned
};

extern template class JournalReader<Report>;
extern template class JournalReader<plan::Evaluation>;
extern template class JournalReader<GeneratedText>;

}  // namespace knead::track
