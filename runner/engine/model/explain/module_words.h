#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace knead::engine::model {

/// A constructor argument that a layer keeps as an attribute: in_features, kernel_size, p.
using Setting = std::variant<bool, std::int64_t, double, std::vector<std::int64_t>>;
using Settings = std::map<std::string, Setting, std::less<>>;

/// Describes a layer of torch.nn in short form: "64 → 128" for a Linear, "16 → 32, 3×3, stride 2"
/// for a Conv2d. Returns an empty text if `type` is not in the table or a setting is missing.
std::string module_words(std::string_view type, const Settings& settings);

}  // namespace knead::engine::model
