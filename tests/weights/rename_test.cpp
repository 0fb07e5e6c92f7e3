#include "runner/weights/rename.h"

#include <catch2/catch.hpp>

#include "tests/weights/all_of.h"

using namespace knead;
using knead::weights::renamed;

namespace {

std::string rename_refusal(const std::vector<weights::Rename>& rules) {
  return tests::refusal("/", [&] {
    renamed({"module.a.weight", "module.b.weight"}, rules, "w.pt");
  });
}

}  // namespace

TEST_CASE("names are renamed by one rule after another") {
  const std::vector<std::string> names{"module.h.0.attn.weight", "module.h.11.attn.bias",
                                       "module.x"};
  CHECK(
      renamed(names, {{"^module\\.", ""}, {"^h\\.(\\d+)\\.attn", "blocks.$1.attention"}}, "w.pt") ==
      std::vector<std::string>{"blocks.0.attention.weight", "blocks.11.attention.bias", "x"});
  CHECK(renamed(names, {}, "w.pt") == names);
  CHECK(renamed({"a.a"}, {{"a", "b"}}, "w.pt") == std::vector<std::string>{"b.b"});
}

TEST_CASE("a rename that does nothing, or too much, is refused") {
  CHECK(rename_refusal({{"^model\\.", ""}}) ==
        "model.weights.rename.0: '^model\\.' matches no name in w.pt\n"
        "its names are 'module.a.weight', 'module.b.weight'");
  CHECK(rename_refusal({{"^module\\.", ""}, {"^module\\.", ""}}) ==
        "model.weights.rename.1: '^module\\.' matches no name in w.pt\n"
        "its names are 'a.weight', 'b.weight', after the rules before");
  CHECK(rename_refusal({{"\\.[ab]\\.", "."}}) ==
        "model.weights.rename makes 'module.weight' of both 'module.a.weight' and "
        "'module.b.weight' of w.pt\nlet its rules match one of them only");
}
