#pragma once

#include <vector>

#include "runner/files/file_system.h"

namespace knead::files {

/// The names in a folder, sorted; none if the folder is not there.
std::vector<Entry> list_sorted(FileSystem& files, const std::filesystem::path& folder);

/// Makes one folder; it is durable when the one above it is synced. EEXIST if it is there.
void make_folder(FileSystem& files, const std::filesystem::path& folder);

/// Renames; EEXIST if anything has the new name.
void rename_new(FileSystem& files, const std::filesystem::path& from,
                const std::filesystem::path& to);

/// Makes the names in a folder durable.
void sync_folder(FileSystem& files, const std::filesystem::path& folder);

/// Makes a folder and those above it that are missing, durably.
void make_folders(FileSystem& files, const std::filesystem::path& folder);

/// Removes a folder and the files in it. Throws FileError, and leaves the rest, if there is a
/// folder in it.
void remove_flat_folder(FileSystem& files, const std::filesystem::path& folder);

/// Removes a file, and says nothing where it cannot: to clean up after a failure.
void remove_if_there(FileSystem& files, const std::filesystem::path& file);

/// 128 random bits in hexadecimal: for names that nobody else has.
std::string random_name();

}  // namespace knead::files
