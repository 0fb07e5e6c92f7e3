#include "runner/engine/batch/model_output.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>

#include "schema/document/error.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine {
namespace {

at::Tensor number(double value) { return at::full({1}, value); }

double picked(const c10::IValue& returned, const OutputKey& key) {
  return Output(returned, key).tensor().item<double>();
}

std::string refused(const c10::IValue& returned, const OutputKey& key) {
  try {
    Output(returned, key).tensor();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

c10::IValue pair() { return c10::ivalue::Tuple::create({number(1), number(2)}); }

c10::IValue named_pair() {
  const std::vector<std::string> names = {"logits", "hidden"};
  const auto type = c10::TupleType::createNamed(c10::QualifiedName("Output"), names,
                                                {c10::TensorType::get(), c10::TensorType::get()});
  return c10::ivalue::Tuple::createNamed({number(1), number(2)}, type);
}

c10::IValue dict() {
  c10::Dict<std::string, at::Tensor> items;
  items.insert("logits", number(3));
  return items;
}

TEST_CASE("The loss sees what model.output picks") {
  CHECK(picked(number(1), std::nullopt) == 1);
  CHECK(picked(pair(), 1) == 2);
  CHECK(picked(pair(), -2) == 1);
  CHECK(picked(dict(), "logits") == 3);
  CHECK(picked(named_pair(), "hidden") == 2);
  CHECK(picked(named_pair(), 0) == 1);
  // Evaluation may return alone what is the first of a tuple in training.
  CHECK(picked(number(1), 0) == 1);
}

TEST_CASE("What is not there is said with what is") {
  CHECK(refused(pair(), std::nullopt) == "what forward returns is a tuple of 2, not a tensor");
  CHECK(refused(pair(), 2) == "model.output is 2, and forward returns a tuple of 2");
  CHECK(refused(number(1), 1) == "model.output is 1, and forward returns a value of type Tensor");
  CHECK(refused(dict(), "logit") ==
        "model.output is 'logit', and forward returns a dict with the keys 'logits'");
  CHECK(refused(named_pair(), "loss") ==
        "model.output is 'loss', and forward returns a tuple with the fields logits, hidden");
  CHECK(refused(named_pair(), std::nullopt) ==
        "what forward returns is a tuple with the fields logits, hidden, not a tensor");
}

}  // namespace
}  // namespace knead::engine
