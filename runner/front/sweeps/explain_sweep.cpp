#include "runner/front/sweeps/explain_sweep.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/files/read.h"
#include "runner/sweep/output/sweep_lines.h"
#include "schema/document/json_text.h"
#include "schema/document/yaml_text.h"
#include "schema/render.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

std::string line_of(const std::string& values, const schema::Node& at) {
  return fmt::format("  in sweep   {}  ({})\n", values, schema::origin_in_words(at));
}

}  // namespace

std::string values_in_sweep(const std::string& path, const schema::Node& tree) {
  const schema::Node* over = schema::find_path(tree, "sweep.over");
  const schema::Node* values = over ? over->find(path) : nullptr;
  if (values) {
    // A bare list stands for the key `values`.
    const schema::Node* const list = values->find("values");
    const schema::Node& listed = *(list ? list : values);
    return line_of(schema::flow_as_yaml(listed), listed);
  }
  std::vector<std::string> found;
  const schema::Node* points = schema::find_path(tree, "sweep.list");
  if (!points) return "";
  for (const schema::Node& point : points->items) {
    const schema::Node* value = point.find(path);
    if (!value) continue;
    const std::string text = schema::flow_as_yaml(*value);
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
  }
  return found.empty() ? "" : line_of(fmt::format("[{}]", fmt::join(found, ", ")), *points);
}

std::string sweep_of_trial(const std::string& path, const std::string& run_folder) {
  std::error_code failure;
  const fs::path trial = fs::canonical(run_folder, failure);
  std::istringstream lines(files::read_text_or_nothing(trial.parent_path() / sweep::kLinesFile));
  for (std::string line; std::getline(lines, line);) {
    const auto json = schema::parse_json_or_none(line);
    if (!json || json->value("id", "") != trial.filename()) continue;
    if (!json->contains("values") || !json->at("values").contains(path)) return "";
    return fmt::format(
        "  trial      of a sweep that tries this key: {}\n",
        (fs::path(run_folder).lexically_normal() / "..").lexically_normal().string() +
            sweep::kLinesFile);
  }
  return "";
}

}  // namespace knead::front
