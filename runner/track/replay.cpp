#include "runner/track/replay.h"

#include "runner/track/journal_reader.h"
#include "runner/track/tracker.h"

namespace knead::track {
namespace {

std::uint64_t length_of_file(const std::filesystem::path& path) {
  std::error_code absent;
  const auto size = std::filesystem::file_size(path, absent);
  return absent ? 0 : size;
}

}  // namespace

JournalEnds journal_ends(const std::filesystem::path& folder) {
  return {length_of_file(folder / kMetricsFile), length_of_file(folder / kEvaluationsFile),
          length_of_file(folder / kGeneratedFile)};
}

void replay(const std::filesystem::path& folder, const JournalEnds& ends, Sink& sink) {
  JournalReader<Report> reports(folder / kMetricsFile, ends.metrics);
  JournalReader<plan::Evaluation> evaluations(folder / kEvaluationsFile, ends.evaluations);
  JournalReader<GeneratedText> texts(folder / kGeneratedFile, ends.generated);
  auto report = reports.next();
  auto text = texts.next();
  for (auto evaluation = evaluations.next(); evaluation; evaluation = evaluations.next()) {
    for (; report && report->step <= evaluation->step; report = reports.next())
      sink.report(*report);
    sink.evaluated(*evaluation);
    for (; text && text->step <= evaluation->step; text = texts.next()) sink.generated(*text);
  }
  for (; report; report = reports.next()) sink.report(*report);
  for (; text; text = texts.next()) sink.generated(*text);
}

}  // namespace knead::track
