#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runner/files/budget.h"
#include "runner/weights/weights.h"

namespace knead::weights {

/// Opens a file that torch.save of PyTorch 1.6 or later wrote: a zip archive of a pickle and the
/// storages it refers to. Executes nothing of the pickle and ignores its values other than tensors.
/// Reads the directory and the pickle, which may have 64 MiB, and leaves the storages on the disk.
/// `key`: as for open_weights(). Throws knead::Error as open_weights() does; TorchScript archives
/// and whole Python objects are refused with a remedy. Takes memory and work from `budget`.
Weights open_torch_file(std::unique_ptr<files::OpenFile> file,
                        const std::optional<std::string>& key, files::Budget& budget);

}  // namespace knead::weights
