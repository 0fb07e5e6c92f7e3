#include "schema/findings.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/catalog.h"

namespace knead::schema {

Where Where::child(std::string_view name, Place place) const {
  return {path.empty() ? std::string(name) : fmt::format("{}.{}", path, name), std::move(place)};
}

/// What a set takes from another (`like`), or an anchor gives to two places, is one mistake: the same kind of problem at
/// the same place, at a key of the same name.
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
  problems_.push_back({std::move(fault.code), std::move(place), std::move(fault.message), std::move(fault.hint)});
}

void Findings::report_value(const Where& where, const Node& node, Fault fault) {
  if (fault.hint.empty() && node.anchor) fault.hint = fmt::format("the value stands at {}", to_string(node.anchor));
  if (fault.hint.empty() && !node.reference.empty()) fault.hint = fmt::format("the value comes from {}", node.reference);
  const bool at_key = !node.place || (node.is_map() && where.key);
  report(where, at_key ? where.key : node.place, std::move(fault));
}

void Findings::postpone(const Where& where, Place place, Fault fault) {
  doubt(where.path);
  if (!is_first(fault.code, place, where.path)) return;
  postponed_.push_back(
      {where.path, {std::move(fault.code), std::move(place), std::move(fault.message), std::move(fault.hint)}});
}

void Findings::report_unknown_key(const Place& place, std::string_view name, Fault fault,
                                  const std::vector<std::string>& meant) {
  meant_.insert(meant.begin(), meant.end());
  doubtful_.insert(meant.begin(), meant.end());
  if (!is_first(fault.code, place, name)) return;
  problems_.push_back({std::move(fault.code), place, std::move(fault.message), std::move(fault.hint)});
}

std::set<std::string, std::less<>> Findings::finish() {
  for (Postponed& postponed : postponed_) {
    if (!was_meant(postponed.path)) problems_.push_back(std::move(postponed.problem));
  }
  return std::move(doubtful_);
}

}  // namespace knead::schema
