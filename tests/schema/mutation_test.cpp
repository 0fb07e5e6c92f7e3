// Every single mistake that a slip of the hand makes in recipes/digits.yaml gives one problem, at
// its place, with the right suggestion.
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/load.h"
#include "schema/parse.h"
#include "schema/type_words.h"
#include "schema/yaml_text.h"
#include "tests/bad_recipes/recipe_keys.h"

using namespace knead::schema;
using namespace knead::tests;

namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

const fs::path kRecipe = fs::path(KNEAD_ROOT) / "recipes" / "digits.yaml";

/// A text with one mistake in it.
struct Mutation {
  std::string text;
  std::size_t at;    // the byte that the problem must be placed at
  std::string hint;  // what the hint must hold; empty if any will do
  std::string what;
  std::optional<std::size_t> or_at = std::nullopt;  // another place that will do
};

std::string recipe_text() {
  std::ifstream in(kRecipe);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// One row of the table: how the mutations of one kind were reported.
class Row {
 public:
  explicit Row(std::string kind) : kind_(std::move(kind)) {}

  void leave_out() { ++left_out_; }

  void judge(const Mutation& mutation) {
    const Problems problems = lint_mutated(mutation.text);
    const Problem* there = nullptr;
    for (const Problem& problem : problems) {
      const std::size_t at = problem.place.begin;
      if (problem.place.source->is_file() && (at == mutation.at || at == mutation.or_at))
        there = &problem;
    }
    const bool has_hint = there && there->hint.find(mutation.hint) != std::string::npos;
    ++all_;
    found_ += !problems.empty();
    one_ += problems.size() == 1;
    placed_ += there != nullptr;
    with_suggestion_ += !mutation.hint.empty();
    suggested_ += !mutation.hint.empty() && has_hint;
    if (problems.size() != 1 || !there || !has_hint) remember(mutation, problems);
  }

  void show() const {
    const auto rate = [&](int n, int of) {
      return of == 0 ? std::string("-") : fmt::format("{:.1f}%", 100.0 * n / of);
    };
    std::cout << fmt::format("{:18} {:9} {:9} {:>8} {:>8} {:>8} {:>8}\n", kind_, all_, left_out_,
                             rate(found_, all_), rate(one_, all_), rate(placed_, all_),
                             rate(suggested_, with_suggestion_));
  }

  void check() const {
    INFO(failures_);
    CHECK((all_ > 0 && found_ == all_ && one_ == all_ && placed_ == all_ &&
           suggested_ * 100 >= with_suggestion_ * 95));
  }

 private:
  void remember(const Mutation& mutation, const Problems& problems) {
    const Place place{std::make_shared<Source>("expected", kRecipe, mutation.text), mutation.at,
                      mutation.at + 1};
    failures_ +=
        fmt::format("{} {}: {} {}\n", kind_, mutation.what, to_string(place), mutation.hint);
    for (const Problem& problem : problems) {
      failures_ += fmt::format("  {}: {} [{}] {}\n", to_string(problem.place), problem.message,
                               problem.code, problem.hint);
    }
  }

  static Problems lint_mutated(const std::string& text) {
    World world{disk(), [](const std::string&) { return std::nullopt; }, kRecipe.parent_path()};
    const auto read = world.files.read;
    world.files.read = [&](const fs::path& path) { return path == kRecipe ? text : read(path); };
    return lint("digits.yaml", {}, world);
  }

  std::string kind_;
  int all_ = 0, left_out_ = 0, found_ = 0, one_ = 0, placed_ = 0, with_suggestion_ = 0,
      suggested_ = 0;
  std::string failures_;
};

/// Each letter dropped, doubled, swapped with the next, replaced.
Texts slips(const std::string& name) {
  Texts all;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char other = name[i] == 'z' ? 'q' : 'z';
    const std::string before = name.substr(0, i);
    const std::string after = name.substr(i + 1);
    if (name.size() > 1) all.push_back(before + after);
    all.push_back(before + name[i] + name[i] + after);
    if (!after.empty() && after[0] != name[i])
      all.push_back(before + after[0] + name[i] + after.substr(1));
    all.push_back(before + other + after);
  }
  return all;
}

Row misspelt(const Recipe& recipe) {
  Row row("misspelt");
  for (const Written& key : recipe.keys()) {
    for (const std::string& slip : slips(key.entry->key)) {
      if (!key.block_type || find_key(*key.block_type, slip)) {
        row.leave_out();
        continue;
      }
      const Place& place = key.entry->place;
      row.judge({recipe.with(place.begin, place.end, slip), place.begin,
                 fmt::format("'{}'", key.entry->key), slip});
    }
  }
  return row;
}

Node parsed(const std::string& yaml) {
  Problems none;
  return *parse_yaml(std::make_shared<Source>("value", "value", yaml), none);
}

/// Whether a value is of a shape that its key takes; a number without its unit is a mutation of its
/// own.
bool takes(const Type& type, const Node& node) {
  const bool is_number = node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
  if (kind_fits(type, node) || (type.shape == Shape::quantity && is_number)) return true;
  if (type.shape == Shape::list && !node.is_list()) return takes(*type.items, node);
  if (type.scalar_key.empty() || node.is_map()) return false;
  return takes(*type_of_child(type, type.scalar_key), node);
}

/// A block in the wrong place may be reported at its key, as all blocks are.
Mutation with_value(const Recipe& recipe, const Value& value, const std::string& instead) {
  const bool in_lines = value.node->place == value.key;  // it begins below its key
  const std::string space = in_lines ? " " : "";
  const std::size_t begin = in_lines ? value.key.end + 1 : value.node->place.begin;
  const std::string what =
      recipe.text().substr(value.key.begin, value.key.end - value.key.begin) + ": " + instead;
  Mutation mutation{recipe.with(begin, end_of(*value.node), space + instead), begin + space.size(),
                    "", what};
  if (instead[0] == '{') mutation.or_at = value.key.begin;
  return mutation;
}

Row wrong_type(const Recipe& recipe) {
  Row row("wrong type");
  for (const Value& value : recipe.values()) {
    for (const char* instead : {"7", "0.5", "true", "word", "[1, 2]", "{a: 1}"}) {
      if (takes(*value.type, parsed(instead))) {
        row.leave_out();
      } else {
        row.judge(with_value(recipe, value, instead));
      }
    }
  }
  return row;
}

/// Values of the right type that a type does not allow.
Texts out_of_bounds(const Type& type, const Node& node) {
  if (!type.scalar_key.empty() && !node.is_map())
    return out_of_bounds(*type_of_child(type, type.scalar_key), node);
  if (type.shape == Shape::list && !node.is_list()) return out_of_bounds(*type.items, node);
  const std::string low = fmt::format("{}", type.minimum - (type.exclusive ? 0 : 1));
  const std::string high = fmt::format("{}", type.maximum + 1);
  switch (type.shape) {
    case Shape::choice: return {"zzzzzz", "\"\""};
    case Shape::quantity: return {low + (type.bare ? "" : " epochs")};
    case Shape::list: return type.min_items > 0 ? Texts{"[]"} : Texts{};
    case Shape::text: return type.format == Format::none ? Texts{} : Texts{"\"\""};
    case Shape::integer:
    case Shape::number: break;
    default: return {};
  }
  Texts all{type.shape == Shape::integer ? "9223372036854775808" : ".inf", ".nan"};
  if (type.has_minimum) all.push_back(low);
  if (type.has_maximum) all.push_back(high);
  return all;
}

Row out_of_range(const Recipe& recipe) {
  Row row("out of range");
  for (const Value& value : recipe.values()) {
    const Texts bad = out_of_bounds(*value.type, *value.node);
    if (bad.empty()) row.leave_out();
    for (const std::string& instead : bad) row.judge(with_value(recipe, value, instead));
  }
  return row;
}

Row unit_dropped(const Recipe& recipe) {
  Row row("unit dropped");
  for (const Value& value : recipe.values()) {
    const std::size_t space = value.node->text.find(' ');
    const bool has_unit = value.type->shape == Shape::quantity && space != std::string::npos;
    if (!has_unit) {
      row.leave_out();
      continue;
    }
    row.judge(with_value(recipe, value, value.node->text.substr(0, space)));
  }
  return row;
}

Row removed(const Recipe& recipe) {
  Row row("removed");
  for (const Written& key : recipe.keys()) {
    if (!key.block_type || !find_key(*key.block_type, key.entry->key)->required) {
      row.leave_out();
      continue;
    }
    const auto [begin, end] = recipe.extent(key);
    row.judge(
        {recipe.with(begin, end, ""), key.block_key.begin, "", key.block + "." + key.entry->key});
  }
  return row;
}

Row duplicated(const Recipe& recipe) {
  Row row("duplicated");
  for (const Written& key : recipe.keys()) {
    const std::size_t begin = key.entry->place.begin;
    const std::string between =
        key.in_braces ? ", " : "\n" + std::string(recipe.column(begin), ' ');
    const std::string again = between + recipe.text().substr(begin, key.end - begin);
    row.judge(
        {recipe.with(key.end, key.end, again), key.end + between.size(), "first", key.entry->key});
  }
  return row;
}

/// Takes a key out and puts it before the first key of another block.
Mutation moved_to(const Recipe& recipe, const Written& key, const Block& block) {
  const auto [begin, end] = recipe.extent(key);
  const std::size_t target = block.node->entries[0].place.begin;
  const bool in_braces = recipe.text()[block.node->place.begin] == '{';
  const std::string moved =
      fmt::format("{}: {}{}", key.entry->key, flow_as_yaml(key.entry->value),
                  in_braces ? ", " : "\n" + std::string(recipe.column(target), ' '));
  const std::string home = key.block.empty() ? "top level" : key.block;
  if (target < begin) {
    return {recipe.with(begin, end, "").insert(target, moved), target, home,
            key.entry->key + " into " + block.path};
  }
  return {recipe.with(target, target, moved).erase(begin, end - begin), target - (end - begin),
          home, key.entry->key + " into " + block.path};
}

Row moved(const Recipe& recipe) {
  Row row("moved");
  for (const Written& key : recipe.keys()) {
    for (const Block& block : recipe.blocks()) {
      const std::size_t target = block.node->entries[0].place.begin;
      const bool is_inside = target >= key.entry->place.begin && target < key.end;
      if (!key.block_type || is_inside || find_key(*block.type, key.entry->key)) {
        row.leave_out();
      } else {
        row.judge(moved_to(recipe, key, block));
      }
    }
  }
  return row;
}

}  // namespace

TEST_CASE("every slip in a recipe is one problem, at its place, with the right suggestion") {
  const Recipe recipe(recipe_text());
  const Row rows[] = {misspelt(recipe),     wrong_type(recipe), out_of_range(recipe),
                      unit_dropped(recipe), removed(recipe),    duplicated(recipe),
                      moved(recipe)};
  std::cout << fmt::format("{:18} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}\n", "mutation", "tried",
                           "left out", "found", "one", "placed", "hint");
  for (const Row& row : rows) row.show();
  for (const Row& row : rows) row.check();
}
