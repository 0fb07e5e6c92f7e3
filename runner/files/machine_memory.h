#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace knead::files {

/// Returns how many bytes of memory this process can have at most: those of the machine, or of the
/// control group that it runs in (a container, a job of a cluster). Does not count swap.
std::uint64_t machine_memory();

/// Returns the least limit of the control groups that `groups` names, which has the form of
/// /proc/self/cgroup, and of those around them; UINT64_MAX without a limit. `root` is where their
/// file systems are mounted: /sys/fs/cgroup. Reads versions 1 and 2.
std::uint64_t group_limit(const std::filesystem::path& root, std::string_view groups);

}  // namespace knead::files
