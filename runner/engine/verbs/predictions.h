#pragma once

#include <filesystem>
#include <optional>

#include <ATen/core/Tensor.h>

#include "runner/files/file_system.h"

namespace knead::engine {

/// What a model made of some samples.
struct Predictions {
  at::Tensor output;                  // (samples, …), floating-point numbers in host memory
  std::optional<at::Tensor> classes;  // (samples), the highest scores, where the loss is of classes
};

/// Throws knead::Error unless a file of that name can be written: .csv, .jsonl, .npy, .safetensors.
void expect_known_format(const std::filesystem::path& path);

/// Writes the file whole or not at all. In the order of the samples: csv has a row for each
/// (output_0 …, class), jsonl an object ({"output": […], "class": 3}), npy the array of the output,
/// safetensors the tensors `output` and `class`.
void write_predictions(const Predictions& predictions, files::FileSystem& disk,
                       const std::filesystem::path& path);

}  // namespace knead::engine
