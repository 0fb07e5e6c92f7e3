#pragma once

#include <filesystem>
#include <optional>

#include <ATen/core/Tensor.h>

#include "runner/files/file_system.h"

namespace knead::engine {

/// Holds the outputs of a model for a set of samples.
struct Predictions {
  at::Tensor output;                  // (samples, …), in host memory
  std::optional<at::Tensor> classes;  // (samples), int64: index of the highest score
};

/// Throws knead::Error unless the name ends in .csv, .jsonl, .npy or .safetensors.
void expect_known_format(const std::filesystem::path& path);

/// Publishes the predictions whole or not at all, in the order of the samples. A csv file has a row
/// per sample (output_0 …, class), a jsonl file an object per sample ({"output": […], "class": 3}),
/// an npy file the output alone, a safetensors file the tensors `output` and `class`. Throws
/// knead::Error if the file cannot be written.
void write_predictions(const Predictions& predictions, files::FileSystem& disk,
                       const std::filesystem::path& path);

}  // namespace knead::engine
