#pragma once

#include <vector>

#include "runner/files/file.h"
#include "runner/files/tensor_bytes.h"

namespace knead::weights {

/// Returns the bytes of a file that torch.load reads with weights_only=True and with mmap=True. The
/// file holds a state dict with the tensors in the order given; each is followed by the aliases
/// that `metadata` lists ("alias:head.weight"), which are the same tensor object in Python. Equal
/// tensors give equal bytes. Borrows the tensors. Throws knead::Error for a tensor that torch.save
/// could not have written.
files::Content torch_file(const std::vector<files::TensorBytes>& tensors,
                          const files::Metadata& metadata);

}  // namespace knead::weights
