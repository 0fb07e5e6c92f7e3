#pragma once

#include <vector>

#include "runner/files/file.h"
#include "runner/files/tensor_content.h"

namespace knead::weights {

/// Returns the bytes of a file that torch.load reads with weights_only=True and with mmap=True. The
/// file holds a state dict with the tensors in the order given; each is followed by the aliases
/// that `metadata` lists ("alias:head.weight"), which are the same tensor object in Python. Equal
/// tensors give equal bytes: dates are fixed. Reads each tensor twice, once here for its CRC-32 and
/// once when the content is written. Borrows the tensors, which must outlive the result. Throws
/// knead::Error for a number type that torch.save writes in another way, such as F8_E4M3.
files::Content torch_file(const std::vector<files::TensorBytes>& tensors,
                          const files::Metadata& metadata);

/// Returns the bytes of such a file. Asks each tensor twice for its bytes.
files::Content torch_file(const std::vector<files::TensorContent>& tensors,
                          const files::Metadata& metadata);

}  // namespace knead::weights
