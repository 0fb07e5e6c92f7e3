#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace knead::engine::model {

/// What a layer keeps of its arguments: in_features, kernel_size, p.
using Setting = std::variant<bool, std::int64_t, double, std::vector<std::int64_t>>;
using Settings = std::map<std::string, Setting, std::less<>>;

/// A layer of torch.nn as a person would write it down: "64 → 128" of a Linear, "16 → 32, 3×3,
/// stride 2" of a Conv2d. Empty where there is nothing to say, or `type` is no such layer.
std::string module_words(std::string_view type, const Settings& settings);

}  // namespace knead::engine::model
