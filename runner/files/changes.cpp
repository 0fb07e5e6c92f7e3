#include "runner/files/changes.h"

#include <array>
#include <cstring>

#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace knead::files {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO |
                                  IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/// Returns whether other machines may write to the file system of a folder, of which the system
/// here learns nothing. The numbers are those of `man 2 statfs`.
bool is_of_a_network(const std::filesystem::path& folder) {
  struct statfs facts {};
  if (::statfs(folder.c_str(), &facts) != 0) return false;
  constexpr std::array<std::uint32_t, 9> kNetworks{
      0x6969,      // NFS
      0x517B,      // SMB
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x65735546,  // FUSE: sshfs, gcsfuse, JuiceFS
      0x00C36400,  // Ceph
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
      0x01021997,  // 9P
  };
  for (const std::uint32_t kind : kNetworks) {
    if (static_cast<std::uint32_t>(facts.f_type) == kind) return true;
  }
  return false;
}

}  // namespace

Changes::Changes() : notify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

Changes::~Changes() {
  if (notify_ >= 0) ::close(notify_);
}

void Changes::watch(const std::filesystem::path& folder) {
  // Where both this and other machines write, the system reports the changes from here only.
  if (is_of_a_network(folder)) unseen_.insert(folder);
  const int number = notify_ < 0 ? -1 : ::inotify_add_watch(notify_, folder.c_str(), kEvents);
  if (number < 0) {
    unseen_.insert(folder);
  } else {
    folders_[number] = folder;
  }
}

void Changes::forget(const std::filesystem::path& folder) {
  unseen_.erase(folder);
  std::erase_if(folders_, [&](const auto& each) {
    if (each.second != folder) return false;
    ::inotify_rm_watch(notify_, each.first);
    return true;
  });
}

std::set<std::filesystem::path> Changes::take() {
  std::set<std::filesystem::path> changed;
  alignas(inotify_event) char events[1 << 14];
  for (ssize_t n; notify_ >= 0 && (n = ::read(notify_, events, sizeof events)) > 0;) {
    for (ssize_t at = 0; at < n;) {
      inotify_event event{};
      std::memcpy(&event, events + at, sizeof event);
      at += static_cast<ssize_t>(sizeof event + event.len);
      if (event.mask & IN_Q_OVERFLOW) {  // events were lost: anything may have changed
        for (const auto& [number, folder] : folders_) changed.insert(folder);
      }
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end()) continue;
      changed.insert(folder->second);
      if (!(event.mask & IN_IGNORED)) continue;  // IN_IGNORED: the folder is gone
      unseen_.insert(folder->second);
      folders_.erase(folder);
    }
  }
  return changed;
}

}  // namespace knead::files
