#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/source/build_source.h"

namespace knead::engine::model {

/// The model that tools/record_forward recorded, of a file: its class, made with its arguments.
using Build = std::unique_ptr<Model> (*)(const Request&);
std::unique_ptr<Model> build_recorded(const std::filesystem::path& source,
                                      const nlohmann::json& recorded, Build build = compile_source);

/// What differs from what PyTorch gave, in a sentence; empty if nothing does: names and initial
/// weights at seed 1; output, gradients and buffers of a step of training; the output of an
/// evaluation. Numbers must be the same to the last bit where this processor computes as the one of
/// the recording does, else within recorded bounds.
std::string forward_difference(const std::function<std::unique_ptr<Model>()>& make,
                               const nlohmann::json& recorded);

}  // namespace knead::engine::model
