#include "runner/run/end_state.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/read.h"
#include "runner/run/names.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"
#include "schema/document/regular_file.h"

namespace knead::run {

std::string to_text(const EndState& end) {
  nlohmann::ordered_json json{{"step", end.step}, {"stopped_early", nullptr}};
  if (end.why_early) json["stopped_early"] = *end.why_early;
  if (end.failure) json["failed"] = *end.failure;
  if (!end.expectations.empty()) json["expectations"] = as_json(end.expectations);
  return schema::readable_json_text(json, 2) + "\n";
}

nlohmann::ordered_json as_json(const std::vector<plan::Judgement>& expectations) {
  auto list = nlohmann::ordered_json::array();
  for (const plan::Judgement& each : expectations)
    list.push_back({{"met", each.met}, {"sentence", each.sentence}});
  return list;
}

std::optional<EndState> end_state_in(const std::string& text) {
  const auto json = schema::parse_json_or_none(text);
  if (!json) return std::nullopt;
  try {
    EndState end{json->at("step").get<std::uint64_t>(), std::nullopt};
    const auto& why = json->at("stopped_early");
    if (!why.is_null()) end.why_early = why.get<std::string>();
    if (json->contains("failed")) end.failure = json->at("failed").get<std::string>();
    if (json->contains("expectations")) {
      for (const auto& each : json->at("expectations"))
        end.expectations.push_back(
            {each.at("met").get<bool>(), each.at("sentence").get<std::string>()});
    }
    return end;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<EndState> read_end_state(const std::filesystem::path& run_folder) {
  const std::filesystem::path file = run_folder / kEndFile;
  // A run that goes on removes the file, so its absence says that there is more to train.
  if (!schema::is_there(file)) return std::nullopt;
  if (auto end = end_state_in(files::read_text(file))) return end;
  throw Error(fmt::format("{} cannot be read", file.string()),
              "knead writes this file; remove it, and start the run again, which writes a new one");
}

}  // namespace knead::run
