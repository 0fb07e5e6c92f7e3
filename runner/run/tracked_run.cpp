#include "runner/run/tracked_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/plan/resolve.h"
#include "runner/run/names.h"
#include "runner/run/overview.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"
#include "schema/document/yaml_text.h"
#include "schema/load.h"
#include "schema/merge/environment.h"
#include "schema/render.h"

namespace knead::run {
namespace {

namespace fs = std::filesystem;

/// Returns the first sink of a kind in the recipe of a run, as YAML with its references to the
/// environment; "{type: KIND}" if the recipe has none.
std::string sink_as_yaml(const fs::path& resolved, const std::string& type) {
  schema::World world = schema::this_world();
  // A variable that is not set is a mistake only where the sink that is wanted names it.
  world.environment = [read = world.environment](const std::string& name) {
    const auto value = read(name);
    return value ? value : std::optional<std::string>("unset");
  };
  schema::Problems ignored;
  const schema::Node recipe =
      schema::read_as_far_as_possible(resolved.string(), {}, world, ignored).tree;
  if (const schema::Node* sinks = schema::find_path(recipe, "track.to")) {
    for (schema::Node sink : sinks->items) {
      const schema::Node* kind = sink.find("type");
      if (!kind || kind->text != type) continue;
      schema::restore_references(sink);
      return schema::flow_as_yaml(sink);
    }
  }
  return fmt::format("{{type: {}}}", type);
}

}  // namespace

track::About about_run(const fs::path& folder, std::uint64_t step, const recipe::Recipe& recipe,
                       const schema::Node& tree) {
  return {folder, step, schema::render(tree), track::evaluated_metrics(recipe),
          track::hyperparameters(tree)};
}

std::vector<std::string> overrides_for_sink(const fs::path& folder, const std::string& type,
                                            const std::vector<std::string>& settings) {
  const fs::path resolved = folder / kResolvedFile;
  if (!schema::is_there(resolved))
    throw Error(fmt::format("'{}' is not the folder of a run", folder.string()),
                "name a folder with a resolved.yaml", Exit::invalid_recipe);
  const fs::path place = fs::canonical(folder);
  std::vector<std::string> overrides{"output=" + schema::text_as_yaml(place.parent_path().string()),
                                     "name=" + schema::text_as_yaml(place.filename().string()),
                                     "notify=[]",
                                     fmt::format("track.to=[{}]", sink_as_yaml(resolved, type))};
  for (const std::string& setting : settings) overrides.push_back("track.to.0." + setting);
  return overrides;
}

TrackedRun tracked_run(const fs::path& folder, const std::vector<std::string>& overrides) {
  const Overview overview = look_at_run(folder);
  if (overview.state == RunState::running)
    throw Error(fmt::format("{} is being trained by {}", folder.string(), overview.holder),
                "a run gives its numbers to its sinks itself");
  schema::Understood understood =
      schema::load((folder / kResolvedFile).string(), overrides, schema::this_world());
  plan::resolve(understood.recipe, {.home = fs::current_path()});
  const track::RunEnd end = overview.state == RunState::finished ? track::RunEnd::finished
                            : overview.state == RunState::failed ? track::RunEnd::failed
                                                                 : track::RunEnd::stopped;
  return {understood.recipe.track.to.at(0),
          about_run(fs::canonical(folder), 0, understood.recipe, understood.tree), end};
}

std::vector<fs::path> runs_at(const fs::path& path) {
  if (schema::is_there(path / kResolvedFile)) return {path};
  const fs::path sweep = schema::is_folder(path / "sweep") ? path / "sweep" : path;
  std::vector<fs::path> runs;
  std::error_code unread;
  for (const auto& entry : fs::directory_iterator(sweep, unread)) {
    if (schema::is_there(entry.path() / kResolvedFile)) runs.push_back(entry.path());
  }
  if (runs.empty())
    throw Error(fmt::format("'{}' has neither a run nor the trials of a sweep", path.string()),
                "name a folder with a resolved.yaml, or one above such folders",
                Exit::invalid_recipe);
  std::sort(runs.begin(), runs.end());
  return runs;
}

}  // namespace knead::run
