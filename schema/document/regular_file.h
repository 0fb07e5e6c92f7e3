#pragma once

#include <cerrno>
#include <filesystem>
#include <string>

#include <fcntl.h>

namespace knead::schema {

/// Holds what open_regular() found: a descriptor, which the caller closes, or why there is none.
struct OpenedFile {
  int descriptor = -1;  // open for reading; -1 if `reason` is set
  int reason = 0;       // an errno: EISDIR for a folder, kNoRegularFile for what is no file
};

/// Is the reason for a pipe, a socket or a device.
inline constexpr int kNoRegularFile = EINVAL;

/// Tells whether a link in the last part of a path is followed, or refused with ELOOP.
enum class Links { follow, refuse };

/// Opens a regular file for reading. All readers of files that users or strangers name open them by
/// this function, since anything may stand behind a name: a pipe or a socket would be waited for, a
/// device gives bytes without end and may do something when it is opened. These are not opened.
/// `path` is relative to `folder`, an open folder, if it does not begin with a slash. Never waits.
OpenedFile open_regular(const std::string& path, Links links, int folder = AT_FDCWD);

/// Returns whether a path names something, links followed. False for what no path can be, such as a
/// name that is too long or a link to itself, where std::filesystem::exists() throws.
bool is_there(const std::filesystem::path& path);

/// Returns whether a path names a folder, links followed. Does not throw, as is_there().
bool is_folder(const std::filesystem::path& path);

}  // namespace knead::schema
