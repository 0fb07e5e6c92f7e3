#include "runner/front/check/check_arguments.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "runner/front/check/argument_types.h"
#include "runner/syntax/bound_names.h"
#include "runner/syntax/classes.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

using schema::Entry;
using schema::Node;

/// Compares a map with a signature, and descends into records and lists.
class ArgumentCheck {
 public:
  ArgumentCheck(const ModelFiles& files, schema::Problems& problems)
      : files_(files), problems_(problems) {}

  void check(const FoundClass& built, const GivenArguments& given) {
    const auto signature = signature_of(files_, built);
    if (!signature) return;
    const std::string& name = built.definition->name;
    std::set<std::string, std::less<>> meant;
    static const std::vector<Entry> kNone;
    const std::vector<Entry>& entries = given.map ? given.map->entries : kNone;
    for (const Entry& entry : entries) {
      const std::string path = given.path + "." + entry.key;
      if (const Argument* argument = signature->find(entry.key)) {
        check_argument(*argument, entry.value, path);
      } else if (!signature->takes_others) {
        meant.insert(report_unknown(name, *signature, entry, entries));
      }
    }
    report_missing(name, *signature, given, meant);
  }

 private:
  static std::string names_of(const Signature& signature) {
    std::vector<std::string_view> names;
    for (const Argument& argument : signature.arguments) names.push_back(argument.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  /// Reports an unknown argument. Returns the argument that was most likely meant, which is then
  /// not reported as missing; empty if there is none.
  std::string report_unknown(const std::string& name, const Signature& signature,
                             const Entry& entry, const std::vector<Entry>& entries) {
    std::vector<std::string_view> left;
    for (const Argument& argument : signature.arguments) {
      const bool is_given = std::any_of(entries.begin(), entries.end(),
                                        [&](const Entry& one) { return one.key == argument.name; });
      if (!is_given) left.push_back(argument.name);
    }
    const std::string near(schema::nearest(entry.key, left));
    std::string hint = fmt::format("did you mean '{}'?", near);
    if (near.empty()) hint = "its arguments are " + names_of(signature);
    if (signature.arguments.empty()) hint = "";
    problems_.push_back({"unknown-argument", entry.place,
                         signature.arguments.empty()
                             ? fmt::format("{} takes no arguments", name)
                             : fmt::format("{} takes no argument '{}'", name, entry.key),
                         hint});
    return near;
  }

  void report_missing(const std::string& name, const Signature& signature,
                      const GivenArguments& given,
                      const std::set<std::string, std::less<>>& meant) {
    std::vector<std::string_view> missing;
    for (const Argument& argument : signature.arguments) {
      const bool is_given = given.map && given.map->find(argument.name);
      if (argument.is_required && !is_given && !meant.contains(argument.name)) {
        missing.push_back(argument.name);
      }
    }
    if (missing.empty()) return;
    const bool is_one = missing.size() == 1;
    problems_.push_back({"missing-argument", given.place,
                         fmt::format("{} needs the argument{} '{}' in {}", name, is_one ? "" : "s",
                                     fmt::join(missing, "', '"), given.path),
                         ""});
    problems_.back().hint = is_one ? declaration(*signature.find(missing[0]))
                                   : "its arguments are " + names_of(signature);
  }

  /// Returns the declaration of an argument for a hint: "model.py:7 says inputs: int".
  static std::string declaration(const Argument& argument) {
    const schema::Place place = argument.place();
    std::string type;
    if (argument.annotation) {
      const syntax::Range range = argument.annotation->range;
      type = ": " + place.source->text().substr(range.begin, range.end - range.begin);
    }
    return fmt::format("{}:{} says {}{}", place.source->name(), place.line(), argument.name, type);
  }

  void check_argument(const Argument& argument, const Node& value, const std::string& path) {
    if (argument.annotation) return check_value(argument, value, path);
    const auto record = value.is_map() ? record_with(*argument.file, value) : std::nullopt;
    if (record) check(*record, {&value, path, value.place});
  }

  /// Returns the class that a map stands for if there is no annotation: the only dataclass of the
  /// file with a field for at least half of the keys. std::nullopt if there is none or several.
  std::optional<FoundClass> record_with(const syntax::File& file, const Node& map) const {
    std::optional<FoundClass> found;
    for (const std::string& name : syntax::bound_names(file.body)) {
      const Meaning meaning = files_.meaning(file, name);
      if (meaning.kind != Meaning::Kind::a_class) continue;
      const syntax::Class& one = *meaning.found.definition;
      if (!syntax::dataclass_decorator(one) || (found && found->definition == &one)) continue;
      const auto signature = signature_of(files_, meaning.found);
      if (!signature) continue;
      const auto known =
          std::count_if(map.entries.begin(), map.entries.end(),
                        [&](const Entry& entry) { return signature->find(entry.key); });
      if (known == 0 || 2 * static_cast<std::size_t>(known) < map.entries.size()) continue;
      if (found) return std::nullopt;
      found = meaning.found;
    }
    return found;
  }

  void check_value(const Argument& argument, const Node& value, const std::string& path) {
    if (value.is_null() && argument.may_be_none) return;
    check_value(argument, *argument.annotation, value, path);
  }

  /// Reports a value that fits none of the alternatives of its annotation. Descends into the value
  /// only if one alternative fits, because otherwise its meaning is not certain.
  void check_value(const Argument& argument, const syntax::Expression& annotation,
                   const Node& value, const std::string& path) {
    const auto types = wanted_types(files_, *argument.file, annotation);
    std::vector<WantedType> possible;
    for (const WantedType& type : types) {
      if (fits(type, value)) possible.push_back(type);
    }
    // A union that may hold the value in two ways says nothing certain about its content.
    if (possible.empty()) {
      report_type(argument, types, value, path);
    } else if (possible.size() == 1) {
      look_inside(argument, possible[0], value, path);
    }
  }

  void look_inside(const Argument& argument, const WantedType& type, const Node& value,
                   const std::string& path) {
    if (type.kind == WantedType::Kind::record) {
      check(type.record, {&value, path, value.place});
    } else if (type.kind == WantedType::Kind::list && type.item) {
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        check_value(argument, *type.item, value.items[i], fmt::format("{}.{}", path, i));
      }
    }
  }

  void report_type(const Argument& argument, const std::vector<WantedType>& types,
                   const Node& value, const std::string& path) {
    const std::string found = value.is_scalar() && !value.secret
                                  ? fmt::format("'{}'", value.text)
                                  : fmt::format("it is {}", schema::kind_in_words(value));
    std::string hint = declaration(argument);
    // For 64.0 in place of an int the hint names the whole number.
    const bool wants_whole = types.size() == 1 && types[0].kind == WantedType::Kind::whole;
    const bool is_whole = value.kind == Node::Kind::number && std::abs(value.number) < 1e15 &&
                          value.number == std::floor(value.number);
    if (wants_whole && is_whole) hint = fmt::format("write {:.0f}", value.number);
    problems_.push_back({"argument-type", value.place,
                         fmt::format("{} must be {}: {}", path, in_words(types), found), hint});
  }

  const ModelFiles& files_;
  schema::Problems& problems_;
};

}  // namespace

void check_arguments(const ModelFiles& files, const FoundClass& built, const GivenArguments& given,
                     schema::Problems& problems) {
  ArgumentCheck(files, problems).check(built, given);
}

}  // namespace knead::front
