#include "runner/checkpoint/pieces.h"

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "runner/checkpoint/manifest.h"

namespace knead::checkpoint {

namespace {

constexpr std::string_view kPiece = "piece:";

/// Takes a number from the beginning of a text; std::nullopt if there is none.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char separator) {
  if (!text.starts_with(separator)) return false;
  text.remove_prefix(1);
  return true;
}

/// Parses what note_piece() wrote; std::nullopt if the text has another form.
std::optional<Piece> parse_piece(std::string_view text) {
  const auto begin = take_number(text);
  if (!begin || !take(text, ' ')) return std::nullopt;
  const auto count = take_number(text);
  if (!count || !take(text, ' ')) return std::nullopt;
  Piece piece{*begin, *count, {}};
  do {
    const auto dimension = take_number(text);
    if (!dimension) return std::nullopt;
    piece.shape.push_back(*dimension);
  } while (take(text, 'x'));
  if (!text.empty()) return std::nullopt;
  return piece;
}

/// Returns whether a parameter of this shape has all numbers of the piece.
bool is_possible(const Piece& piece) {
  std::int64_t numbers = 1;
  for (const std::int64_t dimension : piece.shape) {
    if (dimension != 0 && numbers > std::numeric_limits<std::int64_t>::max() / dimension)
      return false;
    numbers *= dimension;
  }
  return piece.count > 0 && piece.begin <= numbers - piece.count;
}

}  // namespace

std::int64_t numbers_of(const std::vector<std::int64_t>& shape) {
  std::int64_t numbers = 1;
  for (const std::int64_t dimension : shape) numbers *= dimension;
  return numbers;
}

void note_piece(files::Metadata& metadata, const std::string& parameter, const Piece& piece) {
  metadata[std::string(kPiece) + parameter] =
      fmt::format("{} {} {}", piece.begin, piece.count, fmt::join(piece.shape, "x"));
}

std::map<std::string, Piece> pieces_in(const files::Metadata& metadata) {
  std::map<std::string, Piece> pieces;
  for (const auto& [key, text] : metadata) {
    if (!key.starts_with(kPiece)) continue;
    const std::optional<Piece> piece = parse_piece(text);
    if (!piece || !is_possible(*piece))
      throw Damaged(fmt::format("'{}' says '{}', which is no piece of a parameter", key, text));
    pieces.emplace(key.substr(kPiece.size()), *piece);
  }
  return pieces;
}

files::Metadata without_pieces(files::Metadata metadata) {
  std::erase_if(metadata, [](const auto& entry) { return entry.first.starts_with(kPiece); });
  return metadata;
}

}  // namespace knead::checkpoint
