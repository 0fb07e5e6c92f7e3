#include <fstream>

#include <ATen/ops/ones.h>

#include "runner/engine/model/einops/function_text.h"
#include "runner/engine/model/einops/shape_pattern.h"
#include "runner/engine/model/source/build_source.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/syntax/refusal.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::model::einops {
namespace {

using Sizes = std::vector<std::int64_t>;

// The message of the mistake that a call makes; empty if it makes none.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
    return "";
  } catch (const Mistake& mistake) {
    return mistake.what();
  }
}

std::string expression_fault(const std::string& text) {
  return message_of([&] { parse_expression(text); });
}

TEST_CASE("one side of a pattern is read as einops reads it") {
  const Expression side = parse_expression("b (h 2)  1 () ... (x1 1)");
  REQUIRE(side.groups.size() == 6);
  CHECK(side.groups[1].front().name == "h");
  CHECK(side.groups[1].back().number == 2);
  CHECK(side.groups[2].empty());
  CHECK(side.groups[3].empty());
  CHECK(side.groups[4].front().is_ellipsis());
  CHECK(side.groups[5].size() == 1);
  CHECK(side.has_ellipsis);
  CHECK_FALSE(side.has_ellipsis_in_parentheses);
  CHECK(parse_expression("(a ...)").has_ellipsis_in_parentheses);
  CHECK(parse_expression("").groups.empty());
}

TEST_CASE("a side that einops refuses is refused in its words") {
  CHECK(expression_fault("a a") == "Indexing expression contains duplicate dimension \"a\"");
  CHECK(expression_fault("(a (b))") ==
        "Axis composition is one-level (brackets inside brackets not allowed)");
  CHECK(expression_fault("a)") == "Brackets are not balanced");
  CHECK(expression_fault("(a") == "Imbalanced parentheses in expression: \"(a\"");
  CHECK(expression_fault("a-b") == "Unknown character '-'");
  CHECK(expression_fault("a\tb") == "Unknown character '\t'");
  CHECK(expression_fault("_a") == "Invalid axis identifier: _a");
  CHECK(expression_fault("2a") == "Invalid axis identifier: 2a");
  CHECK(expression_fault("a..b") == "Expression may contain dots only inside ellipsis (...)");
  CHECK(expression_fault("... ...") ==
        "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor");
  CHECK(expression_fault("0") == "Anonymous axis should have positive length, not 0");
  CHECK(expression_fault("99999999999999999999") ==
        "the length 99999999999999999999 of an axis does not fit 64 bits");
}

TEST_CASE("an equation of einsum has the letters of einops") {
  CHECK(einsum_equation("batch i d, batch j d -> batch i j") == "abc,adc->abd");
  CHECK(einsum_equation("... i, i -> ...") == "...a,a->...");
  CHECK(message_of([] { einsum_equation("a b -> c"); }) ==
        "Unknown axis c on right side of einsum 'a b -> c'.");
  CHECK(message_of([] { einsum_equation("a (b c) -> a"); }) ==
        "Shape rearrangement is not yet supported in einsum.");
}

TEST_CASE("the steps of a plan have the sizes of one shape") {
  const Plan plan = make_plan("b ... (h p) -> (p b) h ... 3", "repeat", {"p"});
  const Steps steps = make_steps(plan, {2, 5, 7, 6}, {{"p", 2}});
  CHECK(steps.split == Sizes{2, 5, 7, 3, 2});
  CHECK(steps.order == Sizes{4, 0, 3, 1, 2});
  CHECK(steps.reduced.empty());
  CHECK(steps.added == Sizes{5});
  CHECK(steps.expanded == Sizes{-1, -1, -1, -1, -1, 3});
  CHECK(steps.merged == Sizes{4, 3, 5, 7, 3});
}

TEST_CASE("an ellipsis may stand for no dimension, and then nothing is reduced") {
  const Plan plan = make_plan("a ... -> a", "sum", {});
  CHECK(make_steps(plan, {4}, {}).reduced.empty());
  CHECK(make_steps(plan, {4, 2, 3}, {}).reduced == Sizes{1, 2});
}

TEST_CASE("a shape that does not fit is said in the words of einops") {
  const Plan plan = make_plan("(h w) c -> h w c", "rearrange", {"w"});
  CHECK(message_of([&] {
          make_steps(plan, {5, 3}, {{"w", 2}});
        }) ==
        "Error while processing rearrange-reduction pattern \"(h w) c -> h w c\" for a tensor of "
        "shape [5, 3]: Shape mismatch, can't divide axis of length 5 in chunks of 2");
  CHECK(message_of([&] {
          make_steps(plan, {4}, {{"w", 2}});
        }).ends_with("Wrong shape: expected 2 dims, received 1-dim tensor"));
  CHECK(message_of([&] { make_steps(plan, {4, 3}, {{"w", 0}}); }).ends_with("in chunks of 0"));
}

TEST_CASE("the function of a plan is what a person would write") {
  const Plan plan = make_plan("b n (h d) -> b h n d", "rearrange", {"h"});
  const std::string text = function_text(plan, {.takes_list = false, .constants = {{"h", 8}}});
  const std::string steps = text.substr(text.find("    axis_3"));
  CHECK(steps ==
        "    axis_3 = x.size(2) // (8)\n"
        "    x = x.reshape([axis_0, axis_1, 8, axis_3])\n"
        "    x = x.permute([0, 2, 1, 3])\n"
        "    return x\n");
}

TEST_CASE("a pattern of parse_shape counts from the end behind an ellipsis") {
  const ShapePattern pattern = parse_shape_pattern("b _ ... 3 h");
  CHECK(pattern.dimensions == 4);
  REQUIRE(pattern.axes.size() == 3);
  CHECK(pattern.axes[1].length == 3);
  CHECK(pattern.axes[2].name == "h");
  CHECK(pattern.axes[2].place == -1);
}

TEST_CASE("a shape that does not fit in forward is said at the line of the call") {
  const knead::tests::Folder folder;
  Request request;
  request.source = folder / "model.py";
  std::ofstream(request.source) << "from einops import rearrange\n"
                                   "from torch import nn\n\n\n"
                                   "class Split(nn.Module):\n"
                                   "    def forward(self, x):\n"
                                   "        return rearrange(x, 'b (h w) -> b h w', h=2)\n\n\n"
                                   "class Model(nn.Module):\n"
                                   "    def __init__(self):\n"
                                   "        super().__init__()\n"
                                   "        self.split = Split()\n\n"
                                   "    def forward(self, x):\n"
                                   "        return self.split(x) * 2\n";
  request.class_name = "Model";
  const auto model = compile_source(request);
  CHECK(model->forward({at::ones({3, 4})}).toTensor().dim() == 3);
  std::string text;
  try {
    model->forward({at::ones({3, 5})});
  } catch (const syntax::Refusal& refusal) {
    text = refusal.what();
  }
  CHECK(text.substr(text.find(".py:") + 4) ==
        "7:16: EinopsError: Error while processing rearrange-reduction pattern \"b (h w) -> b h "
        "w\" for a tensor of shape [3, 5]: Shape mismatch, can't divide axis of length 5 in chunks "
        "of 2");
}

}  // namespace
}  // namespace knead::engine::model::einops
