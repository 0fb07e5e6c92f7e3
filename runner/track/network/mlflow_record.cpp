#include "runner/track/network/mlflow_record.h"

#include <chrono>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/files/read.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"
#include "schema/document/regular_file.h"

namespace knead::track {
namespace {

MlflowRecord new_record(const recipe::MlflowSink& sink) {
  std::random_device random;  // runs must differ, whatever their seeds are
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.url = sink.url,
          .experiment = sink.experiment.value(),
          .key = fmt::format("{:08x}{:08x}{:08x}", random(), random(), random()),
          .run_id = "",
          .milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
          .artifacts = {}};
}

}  // namespace

MlflowRecord read_record(const std::filesystem::path& folder, const recipe::MlflowSink& sink) {
  const std::filesystem::path file = folder / kMlflowFile;
  if (!schema::is_there(file)) return new_record(sink);
  try {
    const nlohmann::json json = schema::parse_json(files::read_text(file));
    MlflowRecord record{json.at("url").get<std::string>(),
                        json.at("experiment").get<std::string>(),
                        json.at("key").get<std::string>(),
                        json.at("run_id").get<std::string>(),
                        json.at("milliseconds").get<std::int64_t>(),
                        json.at("artifacts").get<std::map<std::string, std::string>>()};
    const bool is_same = record.url == sink.url && record.experiment == sink.experiment.value();
    return is_same ? record : new_record(sink);
  } catch (const nlohmann::json::exception&) {
    throw Error(fmt::format("{} cannot be read", file.string()),
                "remove it: the run then appears a second time at the server");
  }
}

void write_record(const std::filesystem::path& folder, const MlflowRecord& record) {
  const nlohmann::ordered_json json{{"url", record.url},
                                    {"experiment", record.experiment},
                                    {"key", record.key},
                                    {"run_id", record.run_id},
                                    {"milliseconds", record.milliseconds},
                                    {"artifacts", record.artifacts}};
  files::PosixFiles disk;
  files::publish(disk, folder / kMlflowFile, schema::readable_json_text(json, 2) + "\n");
}

}  // namespace knead::track
