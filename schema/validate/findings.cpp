#include "schema/validate/findings.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace knead::schema {

Where Where::child(std::string_view name, Place place) const {
  return {path.empty() ? std::string(name) : fmt::format("{}.{}", path, name), std::move(place)};
}

/// A set that copies another by `like`, and an anchor with two aliases, repeat a mistake at other
/// paths. Such repetitions have the same kind of problem, the same place and the same key name.
bool Findings::is_first(const std::string& code, const Place& place, std::string_view path) {
  const std::string name(path.substr(path.rfind('.') + 1));
  return reported_.insert(std::tuple(code, place.source.get(), place.begin, name)).second;
}

void Findings::report(const Where& where, Place place, Fault fault) {
  doubt(where.path);
  if (!is_first(fault.code, place, where.path)) return;
  problems_.push_back(
      {std::move(fault.code), std::move(place), std::move(fault.message), std::move(fault.hint)});
}

void Findings::report_value(const Where& where, const Node& node, Fault fault) {
  if (fault.hint.empty() && node.anchor)
    fault.hint = fmt::format("the value stands at {}", to_string(node.anchor));
  if (fault.hint.empty() && !node.reference.empty())
    fault.hint = fmt::format("the value comes from {}", node.reference);
  const bool at_key = !node.place || (node.is_map() && where.key);
  report(where, at_key ? where.key : node.place, std::move(fault));
}

void Findings::postpone(const Where& where, Place place, Fault fault,
                        std::vector<std::string> or_others) {
  doubt(where.path);
  // Beyond this many unknown keys, any of them could be the missing key.
  if (unknown_.size() > kMostProblems || !is_first(fault.code, place, where.path)) return;
  or_others.insert(or_others.begin(), where.path);
  postponed_.push_back(
      {std::move(or_others),
       {std::move(fault.code), std::move(place), std::move(fault.message), std::move(fault.hint)}});
}

void Findings::report_unknown_key(const Place& place, std::string_view name, Fault fault,
                                  const std::vector<std::string>& meant) {
  const bool is_shown = unknown_.size() < kMostProblems;
  for (const std::string& path : is_shown ? meant : std::vector<std::string>()) {
    meant_.insert(path);
    doubtful_.insert(path);
  }
  if (!is_first(fault.code, place, name)) return;
  unknown_.push_back(
      {std::string(name),
       {std::move(fault.code), place, std::move(fault.message), std::move(fault.hint)}});
}

/// A key that is unknown here and missing in another block was probably written into the wrong
/// block. This explanation has precedence over a similar name.
void Findings::settle_unknown_keys() {
  std::map<std::string_view, std::string_view> missing;  // name → first path
  for (const Postponed& postponed : postponed_) {
    const std::string_view path = postponed.paths[0];
    if (postponed.problem.code == "missing-key")
      missing.emplace(path.substr(path.rfind('.') + 1), path);
  }
  for (UnknownKey& unknown : unknown_) {
    if (const auto found = missing.find(unknown.name); found != missing.end()) {
      const std::string path(found->second);
      const std::size_t dot = path.rfind('.');
      const std::string block =
          dot == path.npos ? "at the top level" : "under " + path.substr(0, dot);
      unknown.problem.hint = fmt::format("'{}' belongs {}", unknown.name, block);
      meant_.insert(path);
    }
    problems_.push_back(std::move(unknown.problem));
  }
}

PathSet Findings::finish() {
  settle_unknown_keys();
  // A misspelt `extends` may name a file that has all missing keys.
  const bool extends_was_meant = meant_.contains("extends");
  for (Postponed& postponed : postponed_) {
    const bool meant =
        std::any_of(postponed.paths.begin(), postponed.paths.end(),
                    [&](const std::string& path) { return meant_.has_at_or_below(path); });
    const bool is_missing = postponed.problem.code == "missing-key";
    if (!meant && !(is_missing && extends_was_meant))
      problems_.push_back(std::move(postponed.problem));
  }
  return std::move(doubtful_);
}

}  // namespace knead::schema
