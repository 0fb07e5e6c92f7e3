#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knead::engine::model {

/// A position of source code in a TorchScript error message. `file` is the name of the source, as
/// the compiler got it or as the archive records it.
struct Frame {
  std::string file;
  int line = 0;    // from 1
  int column = 0;  // in bytes, from 1; 0 if not known
  int length = 0;  // of the underlined text, in bytes
};

/// The parsed text of a TorchScript error: the frames and the cause.
struct Trace {
  std::vector<Frame> frames;  // see read_run_trace() and read_compile_trace() for the order
  std::string cause;
};

/// Reads the text of an exception thrown by a running method; the outermost call comes first. For
/// an archive, the frames are those of the original source if the archive holds it. The cause has
/// no class name before it ("RuntimeError: "). A text without frames becomes the cause.
Trace read_run_trace(std::string_view text);

/// Reads the text of an exception thrown while a method is compiled: the first frame is the place
/// of the error, the others are the callers, innermost first.
Trace read_compile_trace(std::string_view text);

/// Returns the first line of a message without the backtrace that LibTorch appends and without a
/// final full stop or colon, and at most 1000 bytes of it: "mat1 and mat2 shapes cannot be
/// multiplied (2x3 and 4x5)".
std::string first_sentence(std::string_view message);

}  // namespace knead::engine::model
