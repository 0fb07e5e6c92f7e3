#pragma once

#include <vector>

#include "runner/files/file.h"
#include "runner/files/tensor_bytes.h"

namespace knead::weights {

/// The bytes of a file that Python's torch.load reads, with weights_only=True and with mmap=True: a
/// state dict, whose tensors are in the order given, each followed by the names that `metadata`
/// says are others of it ("alias:head.weight"): they are the same tensor in Python too. The same
/// tensors give the same bytes. Borrows the tensors. Throws knead::Error for a tensor that
/// torch.save could not have written.
files::Content torch_file(const std::vector<files::TensorBytes>& tensors,
                          const files::Metadata& metadata);

}  // namespace knead::weights
