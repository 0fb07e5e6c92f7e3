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

using Sources = std::vector<std::shared_ptr<const schema::Source>>;

/// What a person should read in place of LibTorch's sentence.
using Reword = std::function<Explanation(const std::string& cause)>;

/// Throws what forward threw in a person's terms. `sources`: the files of the model, those of the
/// layers among them (they are no files); none for an archive.
[[noreturn]] void throw_run_error(std::string_view text, const Sources& sources,
                                  const Reword& reword);

/// The place of a frame; nothing where the file is none of `sources`.
schema::Place place_of(const Frame& frame, const Sources& sources);

}  // namespace knead::engine::model
