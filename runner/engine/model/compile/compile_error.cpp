#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/explain/compile_words.h"
#include "runner/engine/model/python/words/missing_names.h"

namespace knead::engine::model {

void throw_compile_error(const std::string& text, const Sources& sources) {
  Trace trace = read_compile_trace(text);
  // The first frame of this error is the branch that lacks the variable; the user needs the place
  // of the use, which is the second frame.
  if (text.find("\nand was used here:") != text.npos) trace.frames.erase(trace.frames.begin());
  Explanation what = compile_words(trace.cause);
  if (what.remedy.empty()) what.remedy = remedy_for_missing_method(what.message);
  // The first frame with a source is the innermost one; frames of LibTorch's own functions have
  // none.
  for (const Frame& frame : trace.frames) {
    if (const schema::Place place = place_of(frame, sources)) {
      throw syntax::Refusal("model-refused", place, what.message, what.remedy);
    }
  }
  throw Error(what.message, what.remedy);
}

}  // namespace knead::engine::model
