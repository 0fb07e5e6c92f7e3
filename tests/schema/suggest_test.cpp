#include "schema/suggest.h"

#include <vector>

#include <catch2/catch.hpp>

#include "schema/catalog.h"
#include "schema/unknown_key.h"

using namespace knead::schema;

namespace {

std::string guess(const char* name, const char* block) {
  const Type* type = *block ? type_at(recipe_type(), block) : &recipe_type();
  if (type->shape == Shape::kinds) type = type->kinds[0].type;
  return guess_key(name, {*type, block, "", {}}, every_key(recipe_type())).hint;
}

}  // namespace

TEST_CASE("edits are counted with swaps of neighbours") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("lr", "rl") == 1);
  CHECK(edit_distance("weight_decya", "weight_decay") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest word ignores case and separators, and nothing is near everything") {
  const std::vector<std::string_view> words{"lr", "betas", "weight_decay", "eps"};
  CHECK(nearest("WeightDecay", words) == "weight_decay");
  CHECK(nearest("weight-decay", words) == "weight_decay");
  CHECK(nearest("beta", words) == "betas");
  CHECK(nearest("x", words).empty());
  CHECK(nearest("momentum", words).empty());
  CHECK(nearest(std::string(5000, 'a'), words).empty());
}

TEST_CASE("an unknown key is a slip, a name from elsewhere, or in the wrong block") {
  CHECK(guess("optimizr", "") == "did you mean 'optimizer'?");
  CHECK(guess("lr", "") == "'lr' belongs under optimizer");
  CHECK(guess("learning_rate", "") == "in knead: optimizer.lr");
  CHECK(guess("learning_rate", "optimizer") == "in knead: 'lr'");
  CHECK(guess("num_train_epochs", "train") == "in knead: 'until'");
  CHECK(guess("gradient_accumulation_steps", "") == "in knead: batch.micro");
  CHECK(guess("per_device_train_batch_size", "") == "in knead: batch.micro");
  CHECK(guess("max_grad_norm", "") == "in knead: clip.norm");
  CHECK(guess("save_total_limit", "") == "in knead: checkpoint.keep.last");
  CHECK(guess("batch", "optimizer") == "'batch' belongs at the top level or under evaluate");
  CHECK(guess("zzz", "").empty());
}

TEST_CASE("a pattern stands for the paths of items and names") {
  CHECK(matches("expect.*.metric", "expect.0.metric"));
  CHECK(matches("data.train.fields.*.columns", "data.train.fields.pixels.columns"));
  CHECK_FALSE(matches("expect.*.metric", "expect.metric"));
  CHECK_FALSE(matches("expect", "expect.0"));
}
