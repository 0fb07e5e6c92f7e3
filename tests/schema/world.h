#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/load.h"

namespace knead::tests {

/// A world without a disk: files by absolute path, variables by name; the current directory is
/// /here.
struct FakeWorld {
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> variables;

  schema::World world() const {
    schema::World out;
    out.files.read = [this](const std::filesystem::path& path) { return files.at(path.string()); };
    out.files.exists = [this](const std::filesystem::path& path) {
      return files.contains(path.string());
    };
    out.files.names = [](const std::filesystem::path&) { return std::vector<std::string>{}; };
    out.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
    out.home = "/here";
    return out;
  }
};

/// A recipe without a mistake, in FakeWorld terms; its model file must exist as /here/mlp.py.
inline constexpr const char* kGoodRecipe = R"(version: 1
name: digits
model: {source: mlp.py, class: MLP, args: {inputs: 64}}
data:
  train:
    type: csv
    path: digits.csv
    fields:
      pixels: "0:64"
      digit: {columns: 64, dtype: int64}
    rows: [0, 1500]
  validation: {like: train, rows: [1500, 1797]}
loss: {type: cross_entropy, target: digit}
batch: 32
optimizer: {type: adamw, lr: 1e-3}
train: 20 epochs
)";

}  // namespace knead::tests
