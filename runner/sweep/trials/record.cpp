#include "runner/sweep/trials/record.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::sweep {

namespace fs = std::filesystem;

namespace {

std::optional<TrialState> state_named(const std::string& word) {
  for (const TrialState each : {TrialState::finished, TrialState::failed, TrialState::stopped})
    if (to_string(each) == word) return each;
  return std::nullopt;
}

}  // namespace

std::optional<Record> read_record(const fs::path& run_folder) {
  const auto text = files::read_text_if_possible(run_folder / kTrialFile);
  if (!text) return std::nullopt;
  const auto json = schema::parse_json_or_none(*text);
  if (!json) return std::nullopt;
  try {
    const auto state = state_named(json->at("state").get<std::string>());
    if (!state) return std::nullopt;
    return Record{.state = *state,
                  .rungs = json->at("rungs").get<std::vector<std::uint64_t>>(),
                  .code = json->at("code").get<int>(),
                  .last_lines = json->at("last_lines").get<std::vector<std::string>>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void write_record(const Record& record, const fs::path& run_folder) {
  const nlohmann::ordered_json json{{"state", to_string(record.state)},
                                    {"rungs", record.rungs},
                                    {"code", record.code},
                                    {"last_lines", record.last_lines}};
  const fs::path path = run_folder / kTrialFile;
  const fs::path temporary = run_folder / ".trial.json.tmp";
  std::ofstream file(temporary, std::ios::trunc);
  file << schema::readable_json_text(json) << '\n';
  file.close();
  std::error_code failure;
  if (file) fs::rename(temporary, path, failure);
  if (file && !failure) return;
  const std::string reason = failure ? failure.message() : std::strerror(errno);
  throw Error(fmt::format("cannot write {}: {}", path.string(), reason),
              "the same command goes on from the trials that have ended, once it can be written");
}

}  // namespace knead::sweep
