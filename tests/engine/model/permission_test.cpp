#include <fstream>
#include <map>
#include <set>

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/runtime/operator.h>

#include "runner/engine/model/operators/permission.h"
#include "runner/files/read.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::model {
namespace {

const std::string kText = "tests/fixtures/models/operators.txt";

/// The names of operators by what a model may do with them.
using Names = std::map<std::string, std::set<std::string>>;

struct Overloads {
  bool is_allowed = false;
  bool is_refused = false;
};

/// Judges each overload that TorchScript or the dispatcher knows.
std::map<std::string, Overloads> judged() {
  std::map<std::string, Overloads> result;
  const auto judge = [&](const c10::FunctionSchema& schema) {
    Overloads& overloads = result[schema.name()];
    (refusal_of(schema) ? overloads.is_refused : overloads.is_allowed) = true;
  };
  for (const auto& one : torch::jit::getAllOperators()) judge(one->schema());
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    if (const auto handle = dispatcher.findSchema(name)) judge(handle->schema());
  }
  return result;
}

Names all_names() {
  Names names;
  for (const auto& [name, overloads] : judged()) {
    const bool is_partly = overloads.is_allowed && overloads.is_refused;
    names[is_partly ? "partly" : overloads.is_allowed ? "allowed" : "refused"].insert(name);
  }
  return names;
}

/// The names of aten:: and prim:: in lines of at most 100 characters. Other libraries differ from
/// build to build of LibTorch.
std::string text_of(const Names& names) {
  std::string text =
      "The operators of LibTorch below aten:: and prim::, and whether a model may call them\n"
      "(runner/engine/model/operators/permission.h). `partly`: some overloads are refused.\n";
  for (const auto& [kind, members] : names) {
    text += "\n" + kind + "\n";
    std::string line = " ";
    for (const std::string& name : members) {
      const bool is_listed = name.starts_with("aten::") || name.starts_with("prim::");
      if (!is_listed) continue;
      const std::string shown = name.starts_with("aten::") ? name.substr(6) : name;
      if (line.size() + shown.size() + 1 > 100) {
        text += line + "\n";
        line = " ";
      }
      line += " " + shown;
    }
    text += line + "\n";
  }
  return text;
}

TEST_CASE("Each operator of LibTorch is allowed or refused, as it is written down") {
  const std::string text = text_of(all_names());
  std::ofstream(std::string(KNEAD_BUILD) + "/operators.txt") << text;
  INFO("the text of this LibTorch is in build/operators.txt");
  CHECK(text == files::read_text(std::string(KNEAD_ROOT) + "/" + kText));
}

TEST_CASE("Only operators of LibTorch's own namespaces are allowed") {
  Names names = all_names();
  for (const std::string& name : names["allowed"]) {
    CAPTURE(name);
    CHECK((name.starts_with("aten::") || name.starts_with("prim::")));
  }
}

TEST_CASE("Operators that touch files, processes or other memory are refused") {
  Names names = all_names();
  for (const char* name :
       {"aten::save", "aten::from_file", "aten::warn", "aten::_print", "aten::manual_seed",
        "aten::wait", "aten::record_stream", "aten::_reshape_alias", "aten::sparse_coo_tensor",
        "aten::_sparse_coo_tensor_unsafe", "aten::_cudnn_init_dropout_state", 
        "prim::rpc_async", "prim::PythonOp", "prim::id", "c10d::allreduce_", "quantized::linear",
        "profiler::_record_function_enter"}) {
    CAPTURE(name);
    CHECK_FALSE(names["allowed"].contains(name));
    CHECK_FALSE(names["partly"].contains(name));
  }
  CHECK(names["partly"].contains("aten::set_"));
  CHECK(names["partly"].contains("aten::values"));
}

}  // namespace
}  // namespace knead::engine::model
