#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runner/files/tensor_bytes.h"

namespace knead::checkpoint {

/// Tells which numbers of a parameter a rank holds, in row-major order.
struct Piece {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::vector<std::int64_t> shape;  // of the whole parameter

  bool operator==(const Piece&) const = default;
};

/// Returns how many numbers a tensor of a shape has. The shape must be one of an existing tensor.
std::int64_t numbers_of(const std::vector<std::int64_t>& shape);

/// Notes in the metadata of a file that it holds a piece of a parameter, and not all of it: under
/// "piece:PARAMETER", "BEGIN COUNT SHAPE" with the shape as "3x4".
void note_piece(files::Metadata& metadata, const std::string& parameter, const Piece& piece);

/// Returns the pieces that note_piece() has noted, by parameter. Throws Damaged for a note that
/// cannot be understood, or of numbers that the parameter does not have.
std::map<std::string, Piece> pieces_in(const files::Metadata& metadata);

/// Returns metadata without the notes of note_piece().
files::Metadata without_pieces(files::Metadata metadata);

}  // namespace knead::checkpoint
