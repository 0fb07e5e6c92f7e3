#pragma once

#include <vector>

#include "runner/files/file_system.h"

namespace knead::files {

/// Returns the entries of a folder sorted by name; an empty list if the folder does not exist.
/// Throws FileError.
std::vector<Entry> list_sorted(FileSystem& files, const std::filesystem::path& folder);

/// Creates one folder, which becomes durable when its parent folder is synced. Throws FileError,
/// with EEXIST if the name is taken.
void make_folder(FileSystem& files, const std::filesystem::path& folder);

/// Renames a file or folder. Throws FileError, with EEXIST if the new name is taken.
void rename_new(FileSystem& files, const std::filesystem::path& from,
                const std::filesystem::path& to);

/// Makes the names in a folder durable. Throws FileError.
void sync_folder(FileSystem& files, const std::filesystem::path& folder);

/// Creates a folder and its missing parents, durably. A folder that exists already, or that another
/// process creates meanwhile, is accepted. Throws FileError.
void make_folders(FileSystem& files, const std::filesystem::path& folder);

/// Removes a folder and the files in it. Throws FileError at a subfolder and leaves the remaining
/// entries. Not atomic: rename a folder that others may read before removing it.
void remove_flat_folder(FileSystem& files, const std::filesystem::path& folder);

/// Removes a file and ignores any failure: for cleaning up after another failure.
void remove_if_there(FileSystem& files, const std::filesystem::path& file);

/// Returns 128 random bits in hexadecimal, for unique names of temporary files. They come from the
/// kernel, so processes that start at the same time do not collide. Throws std::system_error if the
/// kernel gives none.
std::string random_name();

}  // namespace knead::files
