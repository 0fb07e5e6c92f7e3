#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "runner/weights/weights.h"
#include "schema/document/error.h"

namespace knead::tests {

inline const std::filesystem::path kWeights = KNEAD_ROOT "/tests/fixtures/weights";

/// All tensors of a file, read, by name.
inline std::map<std::string, files::TensorBytes> all_of(
    const std::filesystem::path& path, const std::optional<std::string>& key = std::nullopt) {
  weights::Weights file = weights::open_weights(path, key);
  std::map<std::string, files::TensorBytes> tensors;
  for (const weights::StoredTensor& tensor : file.tensors())
    tensors[tensor.name] = file.read(tensor);
  file.check_unchanged();
  return tensors;
}

/// What an action is refused with: message and remedy, without the folder that the file is in.
inline std::string refusal(const std::filesystem::path& folder, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    std::string text = error.what() + std::string("\n") + error.remedy();
    const std::string prefix = folder.string() + "/";
    for (std::size_t at; (at = text.find(prefix)) != text.npos;) text.erase(at, prefix.size());
    return text;
  }
  return "no refusal";
}

}  // namespace knead::tests
