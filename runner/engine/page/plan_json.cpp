#include "runner/engine/page/plan_page.h"

namespace knead::engine {
namespace {

using nlohmann::json;

/// Adds a module and those below it as a flat list, each with its full path.
void add_modules(const ModuleNode& node, std::uint64_t samples, json& out) {
  json module = {{"path", node.facts.path},
                 {"class", node.facts.kind.type},
                 {"parameters", node.parameters},
                 {"trained", node.trained},
                 {"flops", node.use.work / static_cast<double>(samples)},
                 {"calls", node.use.calls}};
  if (!node.facts.kind.words.empty()) module["arguments"] = node.facts.kind.words;
  if (!node.facts.same_as.empty()) module["same_as"] = node.facts.same_as;
  if (!node.use.output.empty()) module["output"] = node.use.output;
  out.push_back(std::move(module));
  for (const ModuleNode& child : node.children) add_modules(child, samples, out);
}

json samples_json(const PlanFacts& facts) {
  json samples = {{"train", facts.train}};
  if (facts.validation) samples["validation"] = *facts.validation;
  if (facts.test) samples["test"] = *facts.test;
  return samples;
}

/// Returns the numbers of steps. The keys on the whole run are absent if its length is a time.
json steps_json(const PlanFacts& facts) {
  json steps = {{"batch", facts.batch},
                {"micro", facts.micro},
                {"accumulation", facts.accumulation},
                {"last_batch", facts.last_batch},
                {"per_epoch", facts.steps_per_epoch}};
  if (facts.ranks) {
    steps["ranks"] = {{"ranks", facts.ranks->ranks},
                      {"samples", {facts.ranks->most, facts.ranks->least}},
                      {"sent", facts.ranks->sent}};
    if (facts.ranks->seconds) steps["ranks"]["seconds"] = *facts.ranks->seconds;
  }
  if (!facts.steps) return steps;
  steps["run"] = *facts.steps;
  steps["samples"] = facts.samples;
  steps["evaluations"] = facts.evaluations.steps;
  steps["reports"] = facts.reports.steps.size();
  steps["saves"] = facts.saves.steps;
  if (!facts.evaluations.all || !facts.reports.all || !facts.saves.all)
    steps["listed_at_most"] = kMostDue;  // the count of reports ends there, too
  return steps;
}

json memory_json(const MemoryUse& memory) {
  return {{"parameters", memory.parameters},   {"gradients", memory.gradients},
          {"optimizer", memory.optimizer},     {"buffers", memory.buffers},
          {"activations", memory.activations}, {"batches", memory.data},
          {"training", memory.training},       {"evaluation", memory.evaluation},
          {"checkpoint", memory.copy}};
}

json strategies_json(const StrategyFacts& facts) {
  json memory = json::object();
  for (const auto& [strategy, bytes] : facts.memory) {
    memory[plan::name_of(strategy)] = {
        {"parameters", bytes.parameters}, {"gradients", bytes.gradients},
        {"optimizer", bytes.optimizer},   {"averages", bytes.averages},
        {"in_flight", bytes.in_flight},   {"undivided", bytes.undivided},
        {"checkpoint", bytes.copy},       {"together", bytes.total()}};
  }
  json out = {{"taken", plan::name_of(facts.taken)}, {"memory", memory}};
  if (!facts.reason.empty()) out["reason"] = facts.reason;
  if (facts.budget) out["budget"] = *facts.budget;
  return out;
}

json first_json(const PlanFacts& facts) {
  const Rehearsal& first = facts.rehearsal;
  json values = json::object();
  if (facts.validation) values["loss"] = nullptr;  // null if no target of the first batch counts
  for (const auto& [name, value] : first.evaluation) values[name] = value;
  json loss;  // null if no target counts
  if (first.loss) loss = *first.loss;
  return {{"samples", first.samples},
          {"loss", loss},
          {"gradient_norm", first.gradient_norm},
          {"validation", values}};
}

}  // namespace

json plan_json(const std::string& name, const PlanFacts& facts, const std::string& state) {
  const Rehearsal& first = facts.rehearsal;
  const auto samples = static_cast<double>(first.samples);
  json modules = json::array();
  add_modules(facts.model, first.samples, modules);
  json page = {{"name", name},
               {"begin", state},
               {"samples", samples_json(facts)},
               {"steps", steps_json(facts)},
               {"rates", facts.rates},
               {"parameters", {{"all", facts.parameters}, {"trained", facts.trained}}},
               {"modules", modules},
               {"flops",
                {{"forward", first.forward_work / samples},
                 {"backward", first.backward_work / samples},
                 {"unknown", first.unknown_work}}},
               {"memory", memory_json(first.memory)},
               {"first_step", first_json(facts)}};
  if (facts.strategies) page["strategies"] = strategies_json(*facts.strategies);
  return page;
}

}  // namespace knead::engine
