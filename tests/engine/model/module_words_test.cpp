#include "runner/engine/model/explain/module_words.h"

#include <catch2/catch.hpp>

using namespace knead::engine::model;
using Numbers = std::vector<std::int64_t>;

namespace {

Setting whole(std::int64_t value) { return value; }

}  // namespace

TEST_CASE("a layer is written as short as a person would") {
  CHECK(module_words("Linear", {{"in_features", whole(64)}, {"out_features", whole(128)}}) ==
        "64 → 128");
  CHECK(module_words("Dropout", {{"p", 0.1}, {"inplace", false}}) == "0.1");
  CHECK(module_words("LayerNorm", {{"normalized_shape", Numbers{8, 16}}}) == "8×16");
  CHECK(module_words("ReLU", {}).empty());
}

TEST_CASE("what is as usual is not said") {
  Settings settings{
      {"in_channels", whole(16)}, {"out_channels", whole(32)}, {"kernel_size", Numbers{3, 3}},
      {"stride", Numbers{1, 1}},  {"padding", Numbers{0, 0}},  {"dilation", Numbers{1, 1}},
      {"groups", whole(1)}};
  CHECK(module_words("Conv2d", settings) == "16 → 32, 3×3");
  settings["stride"] = Numbers{2, 2};
  settings["padding"] = Numbers{1, 0};
  settings["groups"] = whole(4);
  CHECK(module_words("Conv2d", settings) == "16 → 32, 3×3, stride 2, padding 1×0, 4 groups");
  const Settings lstm{{"input_size", whole(8)},
                      {"hidden_size", whole(32)},
                      {"num_layers", whole(2)},
                      {"bidirectional", true},
                      {"dropout", 0.0}};
  CHECK(module_words("LSTM", lstm) == "8 → 32, 2 layers, both ways");
}

TEST_CASE("nothing is said where something is not known") {
  CHECK(module_words("Linear", {{"in_features", whole(64)}}).empty());
  CHECK(module_words("Attention", {{"heads", whole(4)}}).empty());
}
