// What a slip of the hand makes of a recipe is one problem, at its place, with the right
// suggestion: all that can happen to those of recipes/, and something at each key of those of
// full/, which have every key there is.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/load.h"
#include "schema/table/catalog.h"
#include "tests/schema/mutations.h"

using namespace knead::schema;
using namespace knead::tests;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = KNEAD_ROOT;

std::vector<fs::path> recipes_in(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  REQUIRE_FALSE(all.empty());
  return all;
}

std::string text_of(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

/// What is wrong with a file if it says this.
Problems lint_as(const fs::path& file, const std::string& text) {
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    return name == "SECRET" ? std::optional("abc") : std::nullopt;
  };
  World world{disk(), environment, file.parent_path()};
  const auto read = world.files.read;
  world.files.read = [&](const fs::path& path) { return path == file ? text : read(path); };
  return lint(file.filename().string(), {}, world);
}

std::string in_words(const Problems& problems) {
  std::string out;
  for (const Problem& problem : problems) {
    out += fmt::format("  {}: {} [{}] {}\n", to_string(problem.place), problem.message,
                       problem.code, problem.hint);
  }
  return out;
}

/// "belongs under model.init.0.normal" without the number.
std::string without_items(const std::string& hint) {
  return std::regex_replace(hint, std::regex("\\.[0-9]+\\b"), "");
}

/// One row of the table: how the mutations of one kind were reported.
class Row {
 public:
  using Make = Mutations (*)(const Recipe&);

  Row(std::string kind, Make make) : kind_(std::move(kind)), make_(make) {}

  /// Tries all mutations of a recipe, or `most` of those at each key: now these, now those.
  void judge(const fs::path& file, const Recipe& recipe, std::size_t most) {
    const Mutations mutations = make_(recipe);
    left_out_ += mutations.left_out;
    for (const auto& here : mutations.by_key) {
      const std::size_t n = std::min(most, here.size());
      for (std::size_t i = 0; i < n; ++i)
        judge(file, recipe, here[(turn_ + i * here.size() / n) % here.size()]);
      ++turn_;
    }
  }

  void show() const {
    const auto rate = [&](int n, int of) {
      return of == 0 ? std::string("-") : fmt::format("{:.1f}%", 100.0 * n / of);
    };
    std::cout << fmt::format("{:18} {:9} {:9} {:>8} {:>8} {:>8} {:>8}\n", kind_, all_, left_out_,
                             rate(found_, all_), rate(one_, all_), rate(placed_, all_),
                             rate(suggested_, with_suggestion_));
    if (std::getenv("KNEAD_SHOW_MUTATIONS")) std::cout << failures_;
  }

  void check() const {
    INFO(failures_);
    CHECK((all_ > 0 && found_ == all_ && one_ == all_ && placed_ == all_ &&
           suggested_ * 100 >= with_suggestion_ * 95));
  }

 private:
  void judge(const fs::path& file, const Recipe& recipe, const Mutation& mutation) {
    const std::string text = mutation.applied_to(recipe.text());
    const Problems problems = lint_as(file, text);
    const Problem* there = nullptr;
    for (const Problem& problem : problems) {
      const std::size_t at = problem.place.begin;
      if (problem.place.source->is_file() && (at == mutation.at || at == mutation.or_at))
        there = &problem;
    }
    const bool has_hint =
        there && without_items(there->hint).find(mutation.hint) != std::string::npos;
    ++all_;
    found_ += !problems.empty();
    one_ += problems.size() == 1;
    placed_ += there != nullptr;
    with_suggestion_ += !mutation.hint.empty();
    suggested_ += !mutation.hint.empty() && has_hint;
    if (problems.size() == 1 && there && has_hint) return;
    const Place place{std::make_shared<Source>(file.filename(), file, text), mutation.at,
                      mutation.at + 1};
    failures_ += fmt::format("{} {}: {} {}\n{}", kind_, mutation.what, to_string(place),
                             mutation.hint, in_words(problems));
  }

  std::string kind_;
  Make make_;
  std::size_t turn_ = 0;
  int all_ = 0, left_out_ = 0, found_ = 0, one_ = 0, placed_ = 0, with_suggestion_ = 0,
      suggested_ = 0;
  std::string failures_;
};

/// Makes every kind of mistake in recipes, so many at each key.
void expect_good_messages(const std::vector<fs::path>& files, std::size_t most) {
  Row rows[] = {{"misspelt", misspelt},
                {"wrong type", wrong_type},
                {"out of range", out_of_range},
                {"unit dropped", unit_dropped},
                {"removed", removed},
                {"duplicated", duplicated},
                {"moved", moved}};
  for (const fs::path& file : files) {
    const Recipe recipe(text_of(file));
    for (Row& row : rows) row.judge(file, recipe, most);
  }
  std::cout << fmt::format("{:18} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}\n", "mutation", "tried",
                           "left out", "found", "one", "placed", "hint");
  for (const Row& row : rows) row.show();
  for (const Row& row : rows) row.check();
}

}  // namespace

TEST_CASE("every slip in a recipe is one problem, at its place, with the right suggestion") {
  expect_good_messages({kRoot / "recipes/digits.yaml"}, SIZE_MAX);
}

TEST_CASE("a slip at any key of any recipe is one problem, at its place") {
  expect_good_messages(recipes_in(kRoot / "recipes"), 2);
}

TEST_CASE("a slip at any key there is is one problem, at its place, with the right suggestion") {
  expect_good_messages(recipes_in(kRoot / "tests/schema/full"), 1);
}

TEST_CASE("every slip at every key there is", "[.every]") {
  expect_good_messages(recipes_in(kRoot / "recipes"), SIZE_MAX);
  expect_good_messages(recipes_in(kRoot / "tests/schema/full"), SIZE_MAX);
}

TEST_CASE("the full recipes have every key of the language, and nothing wrong") {
  std::set<const Key*> written;
  for (const fs::path& file : recipes_in(kRoot / "tests/schema/full")) {
    const std::string text = text_of(file);
    CHECK(in_words(lint_as(file, text)) == "");
    for (const Recipe recipe(text); const WrittenKey& key : recipe.keys()) {
      if (key.block_type) written.insert(find_key(*key.block_type, key.entry->key));
    }
  }
  // A definition that stands in several places, as that of data.train and data.test, is one.
  std::set<std::string> missing;
  for (const Listed& listed : every_key(recipe_type())) {
    if (!written.contains(listed.key))
      missing.insert(listed.path() + (listed.kind.empty() ? "" : " (" + listed.kind + ")"));
  }
  CHECK(fmt::format("{}", fmt::join(missing, "\n")) == "");
}
