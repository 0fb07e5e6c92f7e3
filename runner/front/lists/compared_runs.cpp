#include "runner/front/lists/compared_runs.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "runner/board/terminal/line.h"
#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/front/line/table.h"
#include "runner/report/readable_text.h"
#include "runner/run/names.h"

namespace knead::front {
namespace {

constexpr std::uint64_t kLongestRecipe = 1 << 20;  // of a recipe; real ones have a few kB
constexpr std::size_t kMostInCell = 24;            // columns

/// Returns the recipe of a run, without keys if it cannot be read.
report::StoredRecipe recipe_in(const std::filesystem::path& folder) {
  files::PosixFiles disk;
  try {
    return report::stored_recipe(report::readable_text(
        files::read_small(disk, folder / run::kResolvedFile, kLongestRecipe)));
  } catch (const std::exception&) {
    return {};  // the list says by itself what cannot be read
  }
}

/// Returns what a model is known by: its class in its file, or its archive.
std::string model_of(const report::StoredRecipe& recipe) {
  return fmt::format("{}:{}:{}", recipe.value("model"), recipe.value("model.source"),
                     recipe.value("model.class"));
}

}  // namespace

std::vector<ComparedRuns> compare_runs(const std::vector<run::Overview>& runs) {
  std::vector<report::StoredRecipe> recipes;
  std::map<std::string, std::vector<std::size_t>> by_model;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    recipes.push_back(recipe_in(runs[i].path));
    if (!recipes[i].keys.empty()) by_model[model_of(recipes[i])].push_back(i);
  }
  std::vector<ComparedRuns> all;
  for (const auto& [model, places] : by_model) {
    std::vector<const report::StoredRecipe*> here;
    for (const std::size_t place : places) here.push_back(&recipes[place]);
    ComparedRuns compared{places, report::differences(here)};
    if (!compared.differences.empty()) all.push_back(std::move(compared));
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.runs.front() < b.runs.front(); });
  return all;
}

std::string compared_text(const std::vector<ComparedRuns>& compared,
                          const std::vector<run::Overview>& runs) {
  std::string text;
  for (const ComparedRuns& each : compared) {
    const std::size_t columns = std::min(each.differences.size(), kMostColumns);
    std::vector<std::vector<std::string>> rows{{"run"}};
    for (std::size_t i = 0; i < columns; ++i) rows[0].push_back(each.differences[i].path);
    for (std::size_t i = 0; i < each.runs.size(); ++i) {
      rows.push_back({runs[each.runs[i]].name});
      for (std::size_t k = 0; k < columns; ++k) {
        const std::string& value = each.differences[k].values[i];
        rows.back().push_back(value.empty() ? "-" : board::cut(value, kMostInCell));
      }
    }
    text += "\n" + table_text(rows);
    if (each.differences.size() > columns)
      text += fmt::format("more keys that differ: {}; 'knead report' of the runs lists them\n",
                          each.differences.size() - columns);
  }
  return text;
}

}  // namespace knead::front
