#include "tests/engine/model/numpy_snippets.h"

#include <fstream>

#include "runner/engine/model/python/evaluate.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::tests {

namespace {

/// What the result of a line is described by; tools/record_numpy has the same function.
constexpr const char* kBegin = R"(import numpy as np
import torch
from torch import nn


def described(x):
    if isinstance(x, (list, tuple)):
        return [described(item) for item in x]
    if isinstance(x, np.ndarray):
        return [str(x.dtype), x.shape, x.tolist(), repr(x)]
    if isinstance(x, torch.Tensor):
        return [str(x.dtype), tuple(x.shape), x.tolist()]
    return repr(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
)";

}  // namespace

std::string result_of_snippet(const std::string& line, const std::filesystem::path& folder) {
  const std::size_t end = line.rfind("; ");
  const std::string expression = end == line.npos ? line : line.substr(end + 2);
  std::string text = kBegin;
  if (end != line.npos) text += "        " + line.substr(0, end) + "\n";
  text += "        self.result = repr(described(" + expression + "))\n";
  const std::filesystem::path path = folder / "snippet.py";
  std::ofstream(path) << text;
  model::Program program;
  const auto module = model::evaluate({.source = path, .class_name = "Model", .args = {}}, program);
  return model::to_text(module->attributes.back().second, "the result");
}

}  // namespace knead::engine::tests
