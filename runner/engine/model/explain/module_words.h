#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace knead::engine::model {

/// A constructor argument that a layer keeps as an attribute: in_features, kernel_size, p. A list
/// holds one number for each spatial dimension.
using Setting = std::variant<bool, std::int64_t, double, std::vector<std::int64_t>>;
using Settings = std::map<std::string, Setting, std::less<>>;

/// Describes a layer of torch.nn in short form: "64 → 128" for a Linear, "16 → 32, 3×3, stride 2"
/// for a Conv2d. Stride, padding and the like are shown only if they differ from the default.
/// `type` is the name of the class. Returns an empty text if `type` is not in the table or a
/// setting is missing, as in archives, which do not hold all of them.
std::string module_words(std::string_view type, const Settings& settings);

}  // namespace knead::engine::model
