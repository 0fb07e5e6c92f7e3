#include "runner/weights/fit.h"

#include <catch2/catch.hpp>

using namespace knead::weights;

namespace {

const std::vector<Slot> kModel{{{"layers.0.weight", "F32", {4, 3}}, {}},
                               {{"layers.0.bias", "F32", {4}}, {}},
                               {{"token.weight", "F32", {7, 3}}, {"head.weight"}},
                               {{"norm.count", "I64", {}}, {}}};

std::string words(const std::vector<TensorFacts>& offered) {
  const Fit fit = compare(kModel, offered, {});
  const Misfit misfit = misfit_words(fit, kModel, offered);
  return counts_in_words(fit) + misfit.lines +
         (misfit.remedy.empty() ? "" : "\n= " + misfit.remedy);
}

}  // namespace

TEST_CASE("a file fits where names, shapes and sorts of numbers are the same") {
  const std::vector<TensorFacts> file{{"head.weight", "BF16", {7, 3}},
                                      {"norm.count", "I32", {}},
                                      {"layers.0.bias", "F64", {4}},
                                      {"mask", "BOOL", {9}},
                                      {"layers.0.weight", "F16", {4, 3}}};
  const Fit fit = compare(kModel, file, {"mask"});
  CHECK(fit.is_exact());
  REQUIRE(fit.pairs.size() == 4);
  CHECK(fit.pairs[2].slot == 2);
  CHECK(fit.pairs[2].offered == 0);
  CHECK_FALSE(compare(kModel, file, {}).is_exact());
}

TEST_CASE("both names of tied weights are taken, one after the other") {
  const std::vector<TensorFacts> file{{"head.weight", "F32", {7, 3}},
                                      {"token.weight", "F32", {7, 3}}};
  const Fit fit = compare(kModel, file, {});
  REQUIRE(fit.pairs.size() == 2);
  CHECK(fit.pairs[0].slot == fit.pairs[1].slot);
  CHECK(fit.unexpected.empty());
}

TEST_CASE("all that does not fit is said at once") {
  CHECK(words({{"layers.0.wieght", "F32", {4, 3}},
               {"layers.0.bias", "F32", {5}},
               {"token.weight", "I64", {7, 3}},
               {"epoch", "F32", {}}}) ==
        "2 are missing, 2 are not expected, 2 are of another shape or type\n"
        "  missing       layers.0.weight (4, 3): the file has 'layers.0.wieght'\n"
        "  missing       norm.count ()\n"
        "  not expected  layers.0.wieght (4, 3)\n"
        "  not expected  epoch ()\n"
        "  unlike        layers.0.bias (4) in the model, (5) in the file\n"
        "  unlike        token.weight holds floating-point numbers in the model, whole numbers in "
        "the file");
}

TEST_CASE("a prefix that all names have is found, on either side") {
  CHECK(words({{"module.layers.0.weight", "F32", {4, 3}},
               {"module.layers.0.bias", "F32", {4}},
               {"module.token.weight", "F32", {7, 3}},
               {"module.norm.count", "I64", {}}})
            .ends_with("\n= names in the file begin with 'module.': write rename: [{match: "
                       "'^module\\.', with: ''}]"));
  CHECK(words({{"0.weight", "F32", {4, 3}}, {"0.bias", "F32", {4}}})
            .ends_with("\n= names in the model begin with 'layers.': write rename: [{match: '^', "
                       "with: 'layers.'}]"));
}

TEST_CASE("of many the first are shown") {
  std::vector<TensorFacts> file;
  for (int i = 0; i < 30; ++i) file.push_back({"x" + std::to_string(i), "F32", {1}});
  CHECK(words(file).find("\n                … and 22 more") != std::string::npos);
}
