#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knead::engine::model {

/// A line of source that TorchScript points at.
struct Frame {
  std::string file;
  int line = 0;    // from 1
  int column = 0;  // in bytes, from 1; 0: not known
  int length = 0;  // of what is underlined, in bytes
};

/// What a text of TorchScript says about an error: where, outermost call first, and why.
struct Trace {
  std::vector<Frame> frames;
  std::string cause;
};

/// Reads the text of an exception that running a method threw. Of an archive the frames are those
/// of the source it was made from, where it holds them. A text without frames is all cause.
Trace read_run_trace(std::string_view text);

/// Reads the text of an exception that compiling a method threw: the first frame is the place, the
/// others are the callers, innermost first.
Trace read_compile_trace(std::string_view text);

/// The first line, without the backtrace that LibTorch appends, and without a last full stop.
std::string first_sentence(std::string_view message);

}  // namespace knead::engine::model
