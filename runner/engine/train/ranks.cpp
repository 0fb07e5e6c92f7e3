#include "runner/engine/train/ranks.h"

#include <fmt/format.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/parallel/copies.h"
#include "runner/plan/random.h"
#include "runner/track/tracker.h"
#include "schema/document/count_words.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Returns the first key at which two objects differ.
std::string first_difference(const nlohmann::json& first, const nlohmann::json& other) {
  for (const auto& [key, value] : first.items())
    if (!other.contains(key) || other.at(key) != value) return key;
  return "";
}

}  // namespace

void expect_trainable(const model::Model& model, const parallel::Group& group) {
  if (group.is_alone()) return;
  for (const model::ModuleFacts& module : model.modules()) {
    if (module.kind.type != "SyncBatchNorm") continue;
    throw Error(
        fmt::format("the model's '{}' is a SyncBatchNorm, which this version does not "
                    "synchronise: each of the {} ranks would normalise its own samples",
                    module.path, group.ranks()),
        "write BatchNorm, which PyTorch's ranks do not synchronise either, or distributed: 1");
  }
}

std::optional<std::uint64_t> agree_on_checkpoint(std::optional<std::uint64_t> step,
                                                 parallel::Group& group) {
  const double agreed = group.of_first(step ? static_cast<double>(*step) : -1.0);
  if (agreed < 0) return std::nullopt;
  return static_cast<std::uint64_t>(agreed);
}

void expect_equal_facts(const Facts& facts, parallel::Group& group) {
  if (group.is_alone()) return;
  const nlohmann::json own = to_json(facts);
  const std::vector<std::string> texts = group.gather(own.dump());
  const auto first = nlohmann::json::parse(texts[0]);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    const auto other = nlohmann::json::parse(texts[rank]);
    if (other == first) continue;
    const std::string fact = first_difference(first, other);
    throw Error(
        fmt::format("rank {} would train something else than rank 0: its {} differs{}", rank, fact,
                    first.contains(fact) && first.at(fact).is_object()
                        ? fmt::format(" at '{}'", first_difference(first.at(fact), other.at(fact)))
                        : ""),
        "all ranks need the same recipe, model, data and version of knead");
  }
}

std::vector<std::string> note_other_ranks(int saved, const parallel::Group& group) {
  if (saved == group.ranks()) return {};
  return {
      fmt::format("the checkpoint is of {} and the run goes on with {}: sums round differently "
                  "from here on, and dropout draws other numbers",
                  schema::count_words(static_cast<std::uint64_t>(saved), "rank"), group.ranks())};
}

void copy_weights_from_first(const model::Model& model, parallel::Group& group) {
  std::vector<at::Tensor> tensors;
  for (const NamedTensor& parameter : model.parameters()) tensors.push_back(parameter.tensor);
  for (const model::Buffer& buffer : model.buffers()) tensors.push_back(buffer.tensor);
  parallel::copy_from_first(tensors, group);
}

plan::Evaluations agree_on_evaluations(const plan::Evaluations& evaluations,
                                       parallel::Group& group) {
  if (group.is_alone()) return evaluations;
  return track::evaluations_in(group.of_first(track::to_text(evaluations)));
}

void seed_for_dropout(std::uint64_t seed, const parallel::Group& group) {
  const auto rank = static_cast<std::uint32_t>(group.rank());
  seed_generator(plan::random_bits(seed, plan::Purpose::dropout, rank, 0));
}

}  // namespace knead::engine
