#include "runner/engine/train/ranks.h"

#include <algorithm>
#include <sstream>

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>
#include <unistd.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/parallel/copies.h"
#include "runner/plan/random.h"
#include "runner/track/tracker.h"
#include "schema/document/count_words.h"
#include "schema/document/error.h"
#include "schema/render.h"

namespace knead::engine {
namespace {

/// Returns the words of a list that another one lacks; "nothing more" if there are none.
std::string words_only_in(const nlohmann::json& list, const nlohmann::json& other) {
  std::string text;
  for (const nlohmann::json& word : list) {
    if (std::find(other.begin(), other.end(), word) != other.end()) continue;
    text += (text.empty() ? "" : ", ") + word.get<std::string>();
  }
  return text.empty() ? "nothing more" : text;
}

std::string without_indent(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

/// Names what differs first between the facts of two ranks. The recipe is a list of keys and
/// values, all others are texts or lists of texts.
std::string difference_in_words(const nlohmann::json& first, const nlohmann::json& other) {
  const auto& keys = first.at("recipe");
  const auto& other_keys = other.at("recipe");
  for (std::size_t i = 0; i < std::min(keys.size(), other_keys.size()); ++i)
    if (keys[i] != other_keys[i]) return fmt::format("'{}'", keys[i][0].get<std::string>());
  if (keys != other_keys) return "the recipe";
  return fmt::format("what executes it ({}, and {} on rank 0)",
                     words_only_in(other.at("execution"), first.at("execution")),
                     words_only_in(first.at("execution"), other.at("execution")));
}

/// Describes a snapshot without the bytes of its tensors.
nlohmann::json outline_of(const checkpoint::Snapshot& snapshot) {
  nlohmann::json parts = nlohmann::json::array();
  for (const checkpoint::Part& part : snapshot.parts) {
    nlohmann::json tensors = nlohmann::json::array();
    for (const files::TensorBytes& tensor : part.tensors)
      tensors.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes.size()});
    parts.push_back({{"file", part.file}, {"metadata", part.metadata}, {"tensors", tensors}});
  }
  return {{"step", snapshot.step},
          {"state", snapshot.state},
          {"facts", snapshot.facts},
          {"parts", parts}};
}

/// Makes a snapshot whose tensors have the right sizes and no content yet.
checkpoint::Snapshot from_outline(const nlohmann::json& outline) {
  checkpoint::Snapshot snapshot;
  snapshot.step = outline.at("step").get<std::uint64_t>();
  snapshot.state = outline.at("state");
  snapshot.facts = outline.at("facts");
  for (const nlohmann::json& each : outline.at("parts")) {
    checkpoint::Part part{
        each.at("file").get<std::string>(), {}, each.at("metadata").get<files::Metadata>()};
    for (const nlohmann::json& tensor : each.at("tensors"))
      part.tensors.push_back({tensor[0].get<std::string>(), tensor[1].get<std::string>(),
                              tensor[2].get<std::vector<std::int64_t>>(),
                              files::OwnBytes(tensor[3].get<std::size_t>())});
    snapshot.parts.push_back(std::move(part));
  }
  return snapshot;
}

/// Returns the bytes of a tensor as a tensor that shares their memory.
at::Tensor view_of(const files::TensorBytes& tensor) {
  // LibTorch has no tensors of constant bytes; rank 0 is only read.
  auto* const bytes = const_cast<std::byte*>(tensor.bytes.data());
  return at::from_blob(bytes, {static_cast<std::int64_t>(tensor.bytes.size())}, at::kByte);
}

/// Overwrites the bytes of all tensors by those of rank 0.
void copy_bytes_from_first(const std::vector<checkpoint::Part>& parts, parallel::Group& group) {
  for (const checkpoint::Part& part : parts) {
    for (const files::TensorBytes& tensor : part.tensors)
      if (!tensor.bytes.empty()) group.copy_from_first(view_of(tensor));
  }
}

}  // namespace

std::string name_of_machine() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

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

checkpoint::Snapshot share_snapshot(const checkpoint::Snapshot* own, parallel::Group& group) {
  checkpoint::Snapshot shared;
  if (group.is_alone()) return shared;
  const std::string outline = group.of_first(own ? outline_of(*own).dump() : "");
  if (own) {
    copy_bytes_from_first(own->parts, group);
  } else {
    shared = from_outline(nlohmann::json::parse(outline));
    copy_bytes_from_first(shared.parts, group);
  }
  return shared;
}

void expect_equal_facts(const Facts& facts, parallel::Group& group) {
  if (group.is_alone()) return;
  const nlohmann::json own = to_json(facts);
  const std::vector<std::string> machines = group.gather(name_of_machine());
  const std::vector<std::string> texts = group.gather(own.dump());
  const auto first = nlohmann::json::parse(texts[0]);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    const auto other = nlohmann::json::parse(texts[rank]);
    if (other == first) continue;
    const bool is_elsewhere = machines[rank] != machines[0];
    throw Error(
        fmt::format("rank {}{} would train something else than rank 0{}: {} differs", rank,
                    is_elsewhere ? " on " + machines[rank] : "",
                    is_elsewhere ? " on " + machines[0] : "", difference_in_words(first, other)),
        other.at("recipe") != first.at("recipe")
            ? "all ranks need the same recipe, model and data"
            : "all ranks need the same version of knead, kind of processor and number of threads, "
              "which 'threads' of the recipe sets");
  }
}

void expect_equal_recipes(const schema::Node& tree, parallel::Group& group) {
  if (group.is_alone()) return;
  const std::vector<std::string> machines = group.gather(name_of_machine());
  const std::vector<std::string> recipes = group.gather(schema::render(tree));
  for (std::size_t rank = 1; rank < recipes.size(); ++rank) {
    if (recipes[rank] == recipes[0]) continue;
    std::istringstream first(recipes[0]);
    std::istringstream other(recipes[rank]);
    std::string expected;
    std::string found;
    do {
      std::getline(first, expected);
      std::getline(other, found);
    } while (expected == found);
    throw Error(fmt::format("rank {} on {} has '{}' in its recipe, and rank 0 has '{}'", rank,
                            machines[rank], without_indent(found), without_indent(expected)),
                "all ranks need the same recipe and arguments");
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

void begin_on_ranks(Job& job, Start start) {
  if (start == Start::begins) copy_weights_from_first(*job.trained.model, *job.group);
  divide(job);
  offload(job);
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
