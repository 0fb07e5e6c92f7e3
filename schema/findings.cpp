#include "schema/findings.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/catalog.h"

namespace knead::schema {

Where Where::child(std::string_view name, Place place) const {
  return {path.empty() ? std::string(name) : fmt::format("{}.{}", path, name), std::move(place)};
}

/// What a set takes from another (`like`), or an anchor gives to two places, is one mistake: the
/// same kind of problem at the same place, at a key of the same name.
bool Findings::is_first(const std::string& code, const Place& place, std::string_view path) {
  const std::string name(path.substr(path.rfind('.') + 1));
  return reported_.insert(std::tuple(code, place.source.get(), place.begin, name)).second;
}

bool Findings::was_meant(const std::string& path) const {
  return std::any_of(meant_.begin(), meant_.end(), [&](const std::string& meant) {
    return matches(meant, path) || meant.starts_with(path + ".");
  });
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
  if (!is_first(fault.code, place, where.path)) return;
  or_others.insert(or_others.begin(), where.path);
  postponed_.push_back(
      {std::move(or_others),
       {std::move(fault.code), std::move(place), std::move(fault.message), std::move(fault.hint)}});
}

void Findings::report_unknown_key(const Place& place, std::string_view name, Fault fault,
                                  const std::vector<std::string>& meant) {
  meant_.insert(meant.begin(), meant.end());
  doubtful_.insert(meant.begin(), meant.end());
  if (!is_first(fault.code, place, name)) return;
  unknown_.push_back(
      {std::string(name),
       {std::move(fault.code), place, std::move(fault.message), std::move(fault.hint)}});
}

/// A key that is unknown here and missing elsewhere was put into the wrong block, whatever else it
/// resembles.
void Findings::settle_unknown_keys() {
  for (UnknownKey& unknown : unknown_) {
    for (const Postponed& missing : postponed_) {
      const std::string& path = missing.paths[0];
      const std::size_t dot = path.rfind('.');
      const bool is_same =
          missing.problem.code == "missing-key" && path.substr(dot + 1) == unknown.name;
      if (!is_same) continue;
      const std::string block =
          dot == path.npos ? "at the top level" : "under " + path.substr(0, dot);
      unknown.problem.hint = fmt::format("'{}' belongs {}", unknown.name, block);
      meant_.insert(path);
      break;
    }
    problems_.push_back(std::move(unknown.problem));
  }
}

std::set<std::string, std::less<>> Findings::finish() {
  settle_unknown_keys();
  // What a recipe extends may hold all that is missing.
  const bool extends_was_meant = meant_.contains("extends");
  for (Postponed& postponed : postponed_) {
    const bool meant = std::any_of(postponed.paths.begin(), postponed.paths.end(),
                                   [&](const std::string& path) { return was_meant(path); });
    const bool is_missing = postponed.problem.code == "missing-key";
    if (!meant && !(is_missing && extends_was_meant))
      problems_.push_back(std::move(postponed.problem));
  }
  return std::move(doubtful_);
}

}  // namespace knead::schema
