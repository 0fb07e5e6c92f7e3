#pragma once

#include <memory>

#include "recipe/arrays.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Opens the arrays that a recipe names in npy files, one file for each field. The values stay on
/// the disk. Throws knead::Error with the file and the offset of the fault, and as ArraySource
/// does.
std::shared_ptr<const Source> open_npy(const recipe::Npy& npy);
/// Opens the arrays that a recipe names in an npz archive; a field without a key reads the array of
/// its own name. Stored members stay on the disk, compressed members are unpacked into memory. The
/// CRC-32 of each member that is used is checked, which reads it once. Throws knead::Error with the
/// file and the offset of the fault, or with the most similar name if the archive lacks an array.
std::shared_ptr<const Source> open_npz(const recipe::Npz& npz);
/// Opens the arrays that a recipe names in idx files, one file for each field. A plain file stays
/// on the disk, a file packed by gzip is unpacked into memory; its first bytes and not its name
/// tell which. Throws knead::Error with the file and the offset of the fault.
std::shared_ptr<const Source> open_idx(const recipe::Idx& idx);
/// Opens the tensors that a recipe names in a safetensors file; a field without a key reads the
/// tensor of its own name. The values stay on the disk. Throws knead::Error with the file and the
/// fault, also for a number type that no field can be read from, or with the most similar name if
/// the file lacks a tensor.
std::shared_ptr<const Source> open_safetensors(const recipe::Safetensors& safetensors);

}  // namespace knead::data
