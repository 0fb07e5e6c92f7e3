#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace knead::files {

/// Reads all bytes of a file; does not check or change them, so they need not be text. Throws
/// knead::Error that names the file if it does not exist, is no regular file, consists of holes, is
/// larger than memory, or cannot be read to its end. For files of a run, whose digest counts, see
/// file.h.
std::string read_text(const std::filesystem::path& path);

/// Reads all bytes of a file as read_text() does. Returns std::nullopt where that throws: for files
/// that need not be there, or that a listing passes over.
std::optional<std::string> read_text_if_possible(const std::filesystem::path& path);

/// Reads all bytes of a file as read_text() does. Returns an empty text where that throws.
std::string read_text_or_nothing(const std::filesystem::path& path);

}  // namespace knead::files
