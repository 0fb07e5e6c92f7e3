#include "runner/peers/import.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "runner/peers/references.h"
#include "runner/peers/translate.h"
#include "schema/error.h"
#include "schema/parse.h"

namespace knead::peers {
namespace {

constexpr std::size_t kMostKeys = 2000;  // each is looked up in all tables

constexpr std::array<const Peer*, 4> kPeers{&kAccelerate, &kTransformers, &kAxolotl, &kTorchtune};

std::string names_of_peers() {
  std::vector<std::string_view> titles;
  for (const Peer* peer : kPeers) titles.push_back(peer->title);
  return fmt::format("{}", fmt::join(titles, ", "));
}

/// JSON may be indented with tabs, YAML may not.
std::shared_ptr<const schema::Source> without_tabs(
    const std::shared_ptr<const schema::Source>& source) {
  const std::string& text = source->text();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || text[first] != '{' || text.find('\t') == text.npos) return source;
  std::string spaces = text;
  std::replace(spaces.begin(), spaces.end(), '\t', ' ');
  return std::make_shared<schema::Source>(source->name(), source->path(), spaces);
}

schema::Node read(const std::shared_ptr<const schema::Source>& source) {
  schema::Problems problems;
  if (const std::optional<schema::Problem> problem = schema::check_bytes(source))
    throw schema::InvalidRecipe({*problem});
  std::optional<schema::Node> root = schema::parse_yaml(source, problems);
  schema::tidy(problems);
  if (schema::count(problems, schema::Severity::error) > 0)
    throw schema::InvalidRecipe(std::move(problems));
  return std::move(*root);
}

/// Keys of a tree, at all levels.
std::size_t keys_in(const schema::Node& node) {
  std::size_t keys = node.entries.size();
  for (const schema::Node& item : node.items) keys += keys_in(item);
  for (const schema::Entry& entry : node.entries) keys += keys_in(entry.value);
  return keys;
}

Error no_file_of_theirs(const std::string& file, const std::string& why) {
  return Error(fmt::format("{} {}", file, why),
               fmt::format("knead reads files of {}", names_of_peers()), Exit::invalid_recipe);
}

const Peer& peer_of_name(const std::string& name) {
  return **std::find_if(kPeers.begin(), kPeers.end(),
                        [&](const Peer* peer) { return peer->name == name; });
}

/// The one whose own keys are most; else the one that knows most keys.
const Peer& recognised(const schema::Node& root, const std::string& file) {
  const Peer* best = nullptr;
  Recognised most;
  bool is_tied = false;
  for (const Peer* peer : kPeers) {
    const Recognised found = recognise(*peer, root);
    const auto rank = std::pair(found.own, found.keys);
    const auto so_far = std::pair(most.own, most.keys);
    is_tied = rank == so_far || (is_tied && rank < so_far);
    if (rank > so_far) {
      best = peer;
      most = found;
    }
  }
  const bool is_recipe = root.find("version") && root.find("model") && root.find("data");
  if (is_recipe) throw no_file_of_theirs(file, "is a recipe already");
  if (!best) throw no_file_of_theirs(file, "has no key that another trainer has");
  if (!is_tied) return *best;
  throw Error(fmt::format("{} could be a file of several trainers", file),
              "say whose it is: --from=accelerate, transformers, axolotl or torchtune",
              Exit::invalid_recipe);
}

}  // namespace

std::span<const Peer* const> peers() { return kPeers; }

std::string import_file(const std::shared_ptr<const schema::Source>& source,
                        const std::string& from, int processes) {
  const std::string& file = source->name();
  schema::Node root = read(without_tabs(source));
  if (root.is_null()) throw no_file_of_theirs(file, "is empty");
  if (!root.is_map()) throw no_file_of_theirs(file, "is no map of keys to values");
  if (keys_in(root) > kMostKeys)
    throw no_file_of_theirs(file, fmt::format("has more than {} keys", kMostKeys));
  const Peer& peer = from.empty() ? recognised(root, file) : peer_of_name(from);
  const std::set<std::string> named = resolve_references(root);
  Theirs theirs(peer, root);
  Draft draft;
  Translation in{theirs, draft, std::filesystem::path(file).stem().string(), processes};
  translate_run(in);
  translate_model(in);
  translate_data(in);
  translate_loss(in);
  translate_batch(in);
  translate_optimizer(in);
  translate_schedule(in);
  translate_precision(in);
  translate_length(in);
  translate_evaluation(in);
  translate_checkpoints(in);
  translate_reports(in);
  translate_memory(in);
  theirs.settle(named);
  return written(draft, theirs, std::filesystem::path(file).filename().string());
}

}  // namespace knead::peers
