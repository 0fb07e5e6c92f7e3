#pragma once

#include <string>

#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

/// Throws an error that explains why a loss does not require a gradient: the model has no
/// parameters, or the loss does not depend on one. It is a syntax::Refusal at the return of
/// forward; knead::Error for an archive.
[[noreturn]] void throw_nothing_to_learn(const Model::Parts& parts);

/// Throws an error of a backward pass in plain words: syntax::Refusal at the line whose result the
/// gradient needs if it is known, otherwise at the model's return; knead::Error for an archive.
/// `text` is the message of LibTorch. Only a tensor that was changed in place has a known line, and
/// only if one line of the model calls the operator.
[[noreturn]] void throw_backward_error(const std::string& text, const Model::Parts& parts);

}  // namespace knead::engine::model
