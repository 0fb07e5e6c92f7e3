#pragma once

#include <filesystem>

#include <sys/types.h>

namespace knead::files {

/// Opens a regular file to write to it. Others may have prepared what stands at the path: a
/// symbolic link is not followed, a named pipe is not waited for. `flags` are those of open(2), and
/// O_CLOEXEC is set. Returns a descriptor that the caller closes, or -1 with errno: ELOOP for a
/// link, ENXIO for what is no regular file.
int open_written_file(const std::filesystem::path& path, int flags, mode_t mode);

}  // namespace knead::files
