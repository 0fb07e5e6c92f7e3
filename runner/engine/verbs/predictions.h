#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/files/file_system.h"

namespace knead::engine {

/// Holds the outputs of a model for a set of samples.
struct Predictions {
  /// Holds a row for each sample, (samples, …), in host memory.
  at::Tensor output;
  /// Holds the index of the highest score of each sample, (samples), int64; std::nullopt unless the
  /// output is (samples, classes).
  std::optional<at::Tensor> classes;
  /// Holds the name of each class by its number; empty if classes are just numbers.
  std::vector<std::string> class_names{};
};

/// Throws knead::Error (exit code of an invalid recipe) unless the name ends in .csv, .jsonl, .npy
/// or .safetensors. Does not touch the disk.
void expect_known_format(const std::filesystem::path& path);

/// Publishes the predictions whole or not at all, in the order of the samples. The extension of
/// `path` must be a known one. A csv file has a row per sample (output_0 …, class), a jsonl file an
/// object per sample ({"output": […], "class": 3}), an npy file the output alone, a safetensors
/// file the tensors `output` and `class`. A class of csv and jsonl is its name if it has one. A csv
/// or npy file holds float64 numbers if the output does, int64 for integers and booleans, else
/// float32; csv flattens the dimensions of a sample. NaN and infinities are nan and inf in csv,
/// strings in jsonl. Throws knead::Error if the file cannot be written.
void write_predictions(const Predictions& predictions, files::FileSystem& disk,
                       const std::filesystem::path& path);

}  // namespace knead::engine
