#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <nlohmann/json.hpp>

namespace knead::engine {

/// A file of tests/fixtures that a script in tools/ has written.
nlohmann::json read_fixture(const std::filesystem::path& path);

/// A recorded tensor, number, text, list, tuple or dict.
c10::IValue to_value(const nlohmann::json& json);
at::Tensor to_tensor(const nlohmann::json& json);

/// What differs from what was recorded, in a sentence; empty if nothing does. Numbers must be the
/// same to the last bit where `exact`; else each may be off by the bound that is recorded with its
/// tensor: 16 times as far as it moves when PyTorch's operations round otherwise. tools/rounding.py
/// says how that is found.
std::string difference(const c10::IValue& value, const nlohmann::json& recorded, bool exact);

/// The tensors in a value, in its order.
std::vector<at::Tensor> tensors_in(const c10::IValue& value);

}  // namespace knead::engine
