#include "runner/engine/page/memory_section.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/run/summary.h"
#include "schema/document/byte_words.h"
#include "schema/document/count_words.h"

namespace knead::engine {
namespace {

using schema::byte_words;

std::string memory_line(std::string_view name, std::int64_t bytes, const std::string& words) {
  std::string line = fmt::format("  {:<18} {:>9}  {}", name, byte_words(double(bytes)), words);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Returns lines for what each rank has for itself under every strategy.
std::string undivided_lines(const MemoryUse& memory) {
  std::string text;
  if (memory.buffers > 0)
    text += memory_line("buffers", memory.buffers, "twice: a step that is left out puts them back");
  text += memory_line("activations", memory.activations, "what forward keeps for backward");
  return text + memory_line("batches", memory.data, "read ahead");
}

/// Returns the memory of a run of one process.
std::string process_section(const PlanFacts& facts) {
  const MemoryUse& memory = facts.rehearsal.memory;
  std::string text =
      fmt::format("\nmemory, {} at once\n", schema::count_words(facts.micro, "sample"));
  text += memory_line("parameters", memory.parameters, "");
  text += memory_line("gradients", memory.gradients, "");
  text += memory_line("optimizer", memory.optimizer, "");
  text += undivided_lines(memory);
  text += memory_line("checkpoint", memory.copy, "a copy, while it is written");
  // A step and an evaluation never run at the same time, but the copy of a checkpoint may exist
  // during either.
  const bool evaluation_is_most = memory.evaluation > memory.training;
  const std::int64_t most = std::max(memory.training, memory.evaluation);
  return text + memory_line("at most", most + memory.copy,
                            fmt::format("at once, in {}; activations go as gradients come",
                                        evaluation_is_most ? "an evaluation" : "a step"));
}

/// Returns the memory of a rank under the strategy that the run takes.
std::string rank_section(const PlanFacts& facts) {
  const StrategyFacts& strategies = *facts.strategies;
  const auto taken = std::find_if(strategies.memory.begin(), strategies.memory.end(),
                                  [&](const auto& each) { return each.first == strategies.taken; });
  const plan::RankMemory& rank = taken->second;
  std::string text =
      fmt::format("\nmemory of a rank, {} at once, {}\n",
                  schema::count_words(facts.micro, "sample"), plan::name_of(strategies.taken));
  const auto line = [&text](std::string_view name, std::uint64_t bytes, const std::string& words) {
    text += memory_line(name, static_cast<std::int64_t>(bytes), words);
  };
  const bool has_units = strategies.taken == plan::Strategy::zero3;
  line("parameters", rank.parameters, has_units ? "its own, and those of a unit" : "");
  line("gradients", rank.gradients, "");
  line("in flight", rank.in_flight,
       has_units ? "gradients that are summed over ranks, and the next unit where it is sent"
                 : "gradients that are summed over ranks");
  line("optimizer", rank.optimizer, "");
  if (rank.averages > 0) line("averages", rank.averages, "");
  text += undivided_lines(facts.rehearsal.memory);
  if (rank.copy > 0) line("checkpoint", rank.copy, "a copy, while it is written");
  line("at most", rank.total(), "activations go as gradients come");
  return text;
}

std::string strategy_line(std::string_view name, const std::vector<std::string>& cells) {
  std::string line = fmt::format("  {:<14}", name);
  for (const std::string& cell : cells) line += fmt::format(" {:>10}", cell);
  return line + "\n";
}

/// Returns a table of what a rank holds under each strategy.
std::string strategy_section(const PlanFacts& facts) {
  const StrategyFacts& strategies = *facts.strategies;
  std::string text = fmt::format("\nmemory of each of {} ranks by strategy\n", facts.ranks->ranks);
  text += strategy_line("", {"parameters", "gradients", "optimizer", "averages", "in flight",
                             "undivided", "checkpoint", "together"});
  for (const auto& [strategy, memory] : strategies.memory) {
    std::vector<std::string> cells;
    for (const std::uint64_t bytes :
         {memory.parameters, memory.gradients, memory.optimizer, memory.averages, memory.in_flight,
          memory.undivided, memory.copy, memory.total()})
      cells.push_back(byte_words(double(bytes)));
    text += strategy_line(plan::name_of(strategy), cells);
  }
  text += run::summary_line(
      "taken", plan::name_of(strategies.taken) +
                   (strategies.reason.empty() ? ", as the recipe says" : ", " + strategies.reason));
  return text +
         run::summary_line("undivided", "activations, buffers and batches: each rank has its own");
}

}  // namespace

std::string memory_section(const PlanFacts& facts) {
  if (!facts.ranks) return process_section(facts);
  return rank_section(facts) + strategy_section(facts);
}

}  // namespace knead::engine
