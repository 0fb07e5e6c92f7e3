#include "runner/track/journal_lines.h"

#include <string>

#include <nlohmann/json.hpp>

#include "runner/track/journal.h"

namespace knead::track {
namespace {

using Json = nlohmann::ordered_json;

Json value_as_json(std::uint64_t count) { return count; }
Json value_as_json(double number) { return number_as_json(number); }
void read_value(const Json& value, std::uint64_t& count) { count = value.get<std::uint64_t>(); }
void read_value(const Json& value, double& number) { number = number_from_json(value); }

}  // namespace

Json as_json(const Report& report) {
  Json line;
  for (const ReportField& field : fields_of(report)) {
    Json& value = line[std::string(field.name)];
    std::visit([&](auto member) { value = value_as_json(report.*member); }, field.member);
  }
  return line;
}

Json as_json(const plan::Evaluation& evaluation) {
  Json line{{"step", evaluation.step}, {"set", evaluation.set}};
  for (const auto& [name, value] : evaluation.values) line[name] = number_as_json(value);
  line["seconds"] = number_as_json(evaluation.seconds);
  return line;
}

Json as_json(const GeneratedText& text) {
  return {{"step", text.step}, {"number", text.number}, {"prompt", text.prompt},
          {"text", text.text}, {"tokens", text.tokens}, {"stopped", text.is_stopped}};
}

Report report_from(const Json& line) {
  Report report;
  for (const ReportField& field : kReportFields) {
    const std::string name(field.name);
    if (field.name == "mfu" && !line.contains(name)) continue;
    const Json& value = line.at(name);
    std::visit([&](auto member) { read_value(value, report.*member); }, field.member);
  }
  return report;
}

plan::Evaluation evaluation_from(const Json& line) {
  plan::Evaluation evaluation;
  evaluation.step = line.at("step").get<std::uint64_t>();
  evaluation.set = line.at("set").get<std::string>();
  evaluation.seconds = number_from_json(line.at("seconds"));
  for (const auto& [key, value] : line.items()) {
    if (key != "step" && key != "set" && key != "seconds")
      evaluation.values.emplace_back(key, number_from_json(value));
  }
  return evaluation;
}

GeneratedText generated_from(const Json& line) {
  return {.step = line.at("step").get<std::uint64_t>(),
          .number = line.at("number").get<std::uint64_t>(),
          .prompt = line.at("prompt").get<std::string>(),
          .text = line.at("text").get<std::string>(),
          .tokens = line.at("tokens").get<std::uint64_t>(),
          .is_stopped = line.at("stopped").get<bool>()};
}

}  // namespace knead::track
