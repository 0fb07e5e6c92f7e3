#include "runner/sweep/sweep_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/sweep/output/optuna_journal.h"
#include "runner/sweep/output/sweep_lines.h"
#include "runner/sweep/output/sweep_table.h"
#include "runner/track/short_text.h"
#include "schema/document/count_words.h"
#include "schema/document/yaml_text.h"
#include "schema/render.h"

namespace knead::sweep {

std::vector<SweptKey> swept_keys(const std::vector<SweptValues>& keys) {
  std::vector<SweptKey> described;
  for (const SweptValues& each : keys) {
    SweptKey& key = described.emplace_back(SweptKey{each.key, each.dimension});
    for (const schema::Node& choice : each.choices)
      key.choices.push_back(schema::flow_as_yaml(choice));
  }
  return described;
}

void write_sweep_files(const Outcome& outcome, const std::filesystem::path& folder) {
  files::PosixFiles disk;
  files::publish(disk, folder / kLinesFile, sweep_lines(outcome));
  files::publish(disk, folder / kTableFile, sweep_table(outcome));
  files::publish(disk, folder / kJournalFile, optuna_journal(outcome));
}

std::string best_recipe(const Trial& trial, const Outcome& outcome, const std::string& file,
                        const schema::Variations& variations,
                        std::vector<schema::Assignment> assignments) {
  const auto ended =
      std::count_if(outcome.trials.begin(), outcome.trials.end(), [](const auto& each) {
        return each.state == TrialState::finished || each.state == TrialState::pruned;
      });
  std::string text =
      fmt::format("# The best of {} of {} by {}: {} at step {} (trial {}).\n",
                  schema::count_words(static_cast<std::uint64_t>(ended), "trial"), file,
                  outcome.objective.metric, track::short_number(trial.best->value),
                  trial.best->step, trial.name.id);
  for (const auto& [key, value, where] : assignments) {
    const schema::Node* base = schema::find_path(variations.base().tree, key);
    text += fmt::format(
        "#   {}: {} ({})\n", key, schema::flow_as_yaml(value),
        base ? "the recipe has " + schema::flow_as_yaml(*base) : "the recipe does not have it");
  }
  assignments.push_back(
      {"name", schema::text_node(outcome.name + "-best", variations.base().tree.place)});
  return text + schema::render(variations.with(assignments).tree);
}

}  // namespace knead::sweep
