#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runner/weights/weights.h"

namespace knead::weights {

/// What torch.save wrote since PyTorch 1.6: a zip archive of a pickle and the storages it refers
/// to. Nothing of the pickle is run; what it says besides tensors is passed over. Throws
/// knead::Error: see open_weights().
Weights open_torch_file(std::unique_ptr<files::OpenFile> file,
                        const std::optional<std::string>& key);

}  // namespace knead::weights
