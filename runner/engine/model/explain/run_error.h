#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/engine/model/explain/trace.h"
#include "runner/engine/model/values/explanation.h"
#include "schema/document/source.h"

namespace knead::engine::model {

/// The source files of a model, including the layer files. A frame is found by the name of its
/// file, so the names of files must differ.
using Sources = std::vector<std::shared_ptr<const schema::Source>>;

/// Replaces the cause of an error, LibTorch's sentence, by an explanation for the user. Gets the
/// first sentence of the cause, and returns it as the message if it has no better words.
using Reword = std::function<Explanation(const std::string& cause)>;

/// Throws an error of forward at the user's line: syntax::Refusal at the deepest frame in a user's
/// file, with the frames in layers below it as calls; knead::Error if there is no such frame.
/// `text` is the message of the exception. `sources` are the files of the model and of the layers;
/// empty for an archive, whose error names the line that the archive records.
[[noreturn]] void throw_run_error(std::string_view text, const Sources& sources,
                                  const Reword& reword);

/// Converts a frame to a place of a source file; returns an empty place if the file is not in
/// `sources`. A frame without a column is placed at the start of its line.
schema::Place place_of(const Frame& frame, const Sources& sources);

}  // namespace knead::engine::model
