#include "runner/checkpoint/evaluated_tensors.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"
#include "runner/files/dtypes.h"
#include "schema/document/error.h"

namespace knead::checkpoint {
namespace {

constexpr std::int64_t kNumbersAtOnce = 1 << 20;

/// Returns a tensor of a checkpoint that is read piece by piece.
files::TensorContent content_of(const TensorReader& reader, const JoinedTensor& tensor) {
  const std::int64_t numbers = numbers_of(tensor.shape);
  const auto read = [&reader, &tensor, numbers](const files::Sink& sink) {
    for (std::int64_t begin = 0; begin < numbers; begin += kNumbersAtOnce)
      sink(reader.read(tensor, begin, std::min(kNumbersAtOnce, numbers - begin)).bytes);
  };
  const std::uint64_t size = *files::tensor_size(*files::find_dtype(tensor.dtype), tensor.shape);
  return {tensor.name, tensor.dtype, tensor.shape, size, read};
}

}  // namespace

EvaluatedTensors evaluated_tensors(const TensorReader& reader) {
  std::map<std::string, const JoinedTensor*> chosen;
  for (const JoinedTensor& tensor : reader.tensors(kModelFile)) chosen[tensor.name] = &tensor;
  if (chosen.empty()) throw Error(fmt::format("the checkpoint has no {}", kModelFile));
  for (const JoinedTensor& average : reader.tensors(kAverageFile))
    if (const auto found = chosen.find(average.name); found != chosen.end())
      found->second = &average;
  EvaluatedTensors out{{}, reader.metadata(kModelFile)};
  for (const auto& [name, tensor] : chosen) out.tensors.push_back(content_of(reader, *tensor));
  return out;
}

}  // namespace knead::checkpoint
