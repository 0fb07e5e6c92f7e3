#pragma once

#include <string>
#include <vector>

#include "runner/checkpoint/tensor_reader.h"
#include "runner/files/tensor_content.h"

namespace knead::checkpoint {

/// Holds the weights with which a run is evaluated and exported, and the words that their file has
/// beside them: names of tied weights among others.
struct EvaluatedTensors {
  std::vector<files::TensorContent> tensors;  // by name
  files::Metadata metadata;
};

/// Returns the weights and persistent buffers of a checkpoint, averaged weights where it has them.
/// Nothing is read but headers until the contents are asked for, and then a few megabytes at once.
/// Borrows the reader. Throws Error if the checkpoint has no weights; the contents throw as
/// TensorReader::read().
EvaluatedTensors evaluated_tensors(const TensorReader& reader);

}  // namespace knead::checkpoint
