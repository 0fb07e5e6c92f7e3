#include "runner/engine/model/explain/trace.h"

#include <catch2/catch.hpp>

namespace knead::engine::model {
namespace {

std::string to_text(const Trace& trace) {
  std::string text;
  for (const Frame& frame : trace.frames) {
    text += frame.file + ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column) +
            "+" + std::to_string(frame.length) + " ";
  }
  return text + "| " + trace.cause;
}

TEST_CASE("An error at run time has its calls and its cause") {
  const std::string text =
      "The following operation failed in the TorchScript interpreter.\n"
      "Traceback of TorchScript (most recent call last):\n"
      "  File \"mlp.py\", line 19, in forward\n"
      "\n"
      "    def forward(self, x):\n"
      "        return self.layers(x)\n"
      "               ~~~~~~~~~~~ <--- HERE\n"
      "  File \"torch/nn.py\", line 134, in forward\n"
      "        return F.linear(input, self.weight, self.bias)\n"
      "               ~~~~~~~~ <--- HERE\n"
      "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x64 and 60x128)\n\n";
  CHECK(to_text(read_run_trace(text)) ==
        "mlp.py:19:16+11 torch/nn.py:134:16+8 | mat1 and mat2 shapes cannot be multiplied (32x64 "
        "and 60x128)");
}

TEST_CASE("Lines of source after the mark are no cause, those of the cause all are") {
  const std::string text =
      "Traceback of TorchScript (most recent call last):\n"
      "  File \"a.py\", line 3, in forward\n"
      "    raise ValueError('x')\n"
      "    ~~~~~~~~~~~~~~~~~~~~~ <--- HERE\n"
      "width: int = 3\n"
      "  print(\"~ <--- HERE\")\n"
      "builtins.ValueError: first: 1\nsecond\n";
  CHECK(to_text(read_run_trace(text)) == "a.py:3:5+21 | first: 1\nsecond");
}

TEST_CASE("Of an archive the frames of its source count") {
  const std::string text =
      "Traceback of TorchScript, serialized code (most recent call last):\n"
      "  File \"code/__torch__.py\", line 23, in forward\n"
      "    _2 = (drop).forward((inner).forward(x, ), )\n"
      "                         ~~~~~~~~~~~~~~ <--- HERE\n"
      "\n"
      "Traceback of TorchScript, original code (most recent call last):\n"
      "  File \"/home/a/m.py\", line 19, in forward\n"
      "        return self.drop(self.inner(x))\n"
      "                         ~~~~~~~~~~ <--- HERE\n"
      "RuntimeError: no\n";
  CHECK(to_text(read_run_trace(text)) == "/home/a/m.py:19:26+10 | no");
}

TEST_CASE("A text without frames is all cause") {
  CHECK(to_text(read_run_trace("forward() is missing value for argument 'x'. Declaration: …\n")) ==
        "| forward() is missing value for argument 'x'. Declaration: …");
}

TEST_CASE("An error of compiling has its cause first, then the place and its callers") {
  const std::string text =
      "\nundefined value y:\n"
      "  File \"m.py\", line 8\n"
      "    def forward(self, x):\n"
      "        return x + y\n"
      "                   ~ <--- HERE\n"
      "'M.block' is being compiled since it was called from 'M.forward'\n"
      "  File \"m.py\", line 4\n"
      "        return self.block(x)\n"
      "               ~~~~~~~~~~ <--- HERE\n";
  CHECK(to_text(read_compile_trace(text)) == "m.py:8:20+1 m.py:4:16+10 | undefined value y");
}

TEST_CASE("A sentence is the first line without LibTorch's backtrace") {
  CHECK(first_sentence("\nno such thing.\nmore\nException raised from f at a.cpp:1") ==
        "no such thing");
  CHECK(first_sentence("why\nException raised from f") == "why");
}

}  // namespace
}  // namespace knead::engine::model
