#include "runner/peers/import.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "runner/peers/recognise.h"
#include "runner/peers/references.h"
#include "runner/peers/translate.h"
#include "schema/document/error.h"
#include "schema/document/parse.h"

namespace knead::peers {
namespace {

constexpr std::size_t kMostKeys = 2000;  // bounds the time, because each key is searched in tables

constexpr std::array<const Peer*, 5> kPeers{&kAccelerate, &kTransformers, &kAxolotl, &kTorchtune,
                                            &kDeepspeed};

/// Replaces tabs by blanks in JSON, which may be indented with tabs; YAML may not. Offsets stay
/// valid.
std::shared_ptr<const schema::Source> without_tabs(
    const std::shared_ptr<const schema::Source>& source) {
  // Only a file that begins with '{' is JSON; in YAML a tab may be part of a value.
  const std::string& text = source->text();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || text[first] != '{' || text.find('\t') == text.npos) return source;
  std::string spaces = text;
  std::replace(spaces.begin(), spaces.end(), '\t', ' ');
  return std::make_shared<schema::Source>(source->name(), source->path(), spaces);
}

/// Names the language of a file by the ending of its name.
std::string_view language_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension();
  if (ending == ".py") return "Python";
  return ending == ".toml" ? "TOML" : "made of assignments";
}

/// Refuses a file that is not YAML by the name of its program, if its keys show it, or by its
/// language.
void refuse_other_languages(const schema::Source& source, bool wants_name) {
  const Outline outline(source.text());
  if (wants_name) refuse_stranger(outline, source.name());
  if (outline.is_of_assignments())
    throw no_file_of_theirs(source.name(), fmt::format("is {}, and knead reads YAML and JSON",
                                                       language_of(source.name())));
}

schema::Node read(const std::shared_ptr<const schema::Source>& source, bool wants_name) {
  schema::Problems problems;
  if (const std::optional<schema::Problem> problem = schema::check_bytes(source))
    throw schema::InvalidRecipe({*problem});
  std::optional<schema::Node> root = schema::parse_yaml(source, problems);
  schema::tidy(problems);
  const bool is_broken = schema::count(problems, schema::Severity::error) > 0;
  if (is_broken || !root->is_map()) refuse_other_languages(*source, wants_name);
  if (is_broken) throw schema::InvalidRecipe(std::move(problems));
  return std::move(*root);
}

/// Counts the keys of a tree at all levels.
std::size_t keys_in(const schema::Node& node) {
  std::size_t keys = node.entries.size();
  for (const schema::Node& item : node.items) keys += keys_in(item);
  for (const schema::Entry& entry : node.entries) keys += keys_in(entry.value);
  return keys;
}

bool is_recipe(const schema::Node& root) {
  return root.find("version") && root.find("model") && root.find("data");
}

const Peer& peer_of_name(const std::string& name) {
  return **std::find_if(kPeers.begin(), kPeers.end(),
                        [&](const Peer* peer) { return peer->name == name; });
}

/// Refuses files that can be named. This comes before the limit on keys, whose message would help
/// less.
void refuse_others(const schema::Node& root, const std::string& file) {
  if (is_recipe(root)) throw no_file_of_theirs(file, "is a recipe already");
  refuse_stranger(Outline(root), file);
}

/// Returns the value at a dotted key, or null.
schema::Node* node_at(schema::Node& root, std::string_view path) {
  schema::Node* node = &root;
  while (node && !path.empty()) {
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string_view name = path.substr(0, end);
    const auto found = std::find_if(node->entries.begin(), node->entries.end(),
                                    [&](const schema::Entry& entry) { return entry.key == name; });
    node = found == node->entries.end() ? nullptr : &found->value;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return node;
}

/// Puts the content of files that the configuration names into the places of their names.
void read_named_files(const Peer& peer, schema::Node& root, const ReadBeside& read_beside) {
  for (const Mount& mount : peer.mounts) {
    schema::Node* node = node_at(root, mount.theirs);
    if (!read_beside || !node || !node->is_scalar() || node->text.empty()) continue;
    const std::shared_ptr<const schema::Source> source = read_beside(node->text);
    if (!source) continue;
    schema::Node content = read(without_tabs(source), false);
    if (content.is_map()) *node = std::move(content);
  }
}

/// Translates part by part. Unknown keys come last, because their lines may reopen lines of the
/// other parts.
void translate(Translation& in) {
  translate_run(in);
  translate_model(in);
  translate_data(in);
  translate_loss(in);
  translate_ranks(in);
  translate_batch(in);
  translate_optimizer(in);
  translate_schedule(in);
  translate_precision(in);
  translate_length(in);
  translate_evaluation(in);
  translate_checkpoints(in);
  translate_reports(in);
  translate_memory(in);
  translate_unplaced(in);
}

}  // namespace

std::span<const Peer* const> peers() { return kPeers; }

std::string import_file(const std::shared_ptr<const schema::Source>& source,
                        const std::string& from, int processes, const ReadBeside& read_beside) {
  const std::string& file = source->name();
  schema::Node root = read(without_tabs(source), from.empty());
  if (root.is_null()) throw no_file_of_theirs(file, "is empty");
  if (!root.is_map()) throw no_file_of_theirs(file, "is no map of keys to values");
  // With --from the user has decided whose file it is, even if its keys look like another
  // program's.
  if (from.empty()) refuse_others(root, file);
  if (keys_in(root) > kMostKeys)
    throw no_file_of_theirs(file, fmt::format("has more than {} keys", kMostKeys));
  const Peer& peer = from.empty() ? recognised(root, file) : peer_of_name(from);
  read_named_files(peer, root, read_beside);
  if (keys_in(root) > kMostKeys)
    throw no_file_of_theirs(file,
                            fmt::format("names files that have more than {} keys", kMostKeys));
  // The trainer is recognised by the keys alone. References are resolved before Theirs copies
  // values.
  const std::set<std::string> named = resolve_references(root);
  Theirs theirs(peer, root);
  Draft draft;
  Translation in{theirs, draft, std::filesystem::path(file).stem().string(), processes};
  translate(in);
  theirs.settle(named);
  return written(draft, theirs, std::filesystem::path(file).filename().string());
}

}  // namespace knead::peers
