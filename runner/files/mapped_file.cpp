#include "runner/files/mapped_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "runner/files/open_file.h"
#include "schema/document/error.h"
#include "schema/document/standard_streams.h"

namespace knead::files {
namespace {

/// Tells the handler of SIGBUS which addresses belong to a file, and what to say of it.
struct Mapping {
  std::atomic<std::uintptr_t> begin{0};  // 0: there is none, and the object may be used again
  std::uintptr_t end = 0;
  std::string complaint;
  Mapping* next = nullptr;
};

// The handler reads the list at any time. So its items are never freed.
std::atomic<Mapping*> mappings{nullptr};

Mapping* mapping_at(std::uintptr_t address) {
  for (Mapping* each = mappings; each != nullptr; each = each->next) {
    const std::uintptr_t begin = each->begin;
    if (begin != 0 && begin <= address && address < each->end) return each;
  }
  return nullptr;
}

/// Ends the process with a message if a page of a mapped file is not there any more. Only calls
/// what a signal handler may call.
void end_at_lost_page(int number, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const Mapping* const lost = info->si_code == BUS_ADRERR ? mapping_at(address) : nullptr;
  if (lost != nullptr) {
    const std::string& text = lost->complaint;
    (void)!::write(STDERR_FILENO, text.data(), text.size());  // the exit code says it too
    ::_exit(static_cast<int>(Exit::not_usable));
  }
  ::signal(number, SIG_DFL);  // the access is repeated, and ends the process
}

void handle_lost_pages() {
  struct sigaction action {};
  action.sa_sigaction = end_at_lost_page;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

/// Returns an item of the list that has no mapping.
Mapping& free_mapping() {
  for (Mapping* each = mappings; each != nullptr; each = each->next)
    if (each->begin == 0) return *each;
  if (mappings == nullptr) handle_lost_pages();
  auto* const added = new Mapping;
  added->next = mappings;
  mappings = added;
  return *added;
}

/// Adds a mapping to the list.
Mapping& add_mapping(const void* begin, std::uint64_t size, const std::filesystem::path& path) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Mapping& mapping = free_mapping();
  mapping.complaint = complaint(
      fmt::format("{} was shortened while it was read; it had {} bytes when it was opened",
                  path.string(), size),
      "leave the files of a run as they are until it has ended");
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  mapping.end = first + size;
  mapping.begin = first;
  return mapping;
}

}  // namespace

Bytes map_file(const std::filesystem::path& path) {
  const OpenFile file(path);  // a mapping outlives the descriptor
  // OpenFile has refused folders, pipes and devices, which cannot be mapped or have no size.
  file.expect_content();
  const std::uint64_t size = file.size();
  if (size == 0) return {};  // mmap() refuses a length of 0
  void* begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (begin == MAP_FAILED)
    throw Error(fmt::format("cannot map {} into memory: {}", path.string(), std::strerror(errno)),
                "its file system cannot do that, or the process may not have so much (ulimit -v)");
  Mapping& mapping = add_mapping(begin, size, path);
  const std::shared_ptr<const void> owner(begin, [size, &mapping](void* mapped) {
    mapping.begin = 0;
    ::munmap(mapped, size);
  });
  return {owner, {static_cast<const char*>(begin), size}};
}

}  // namespace knead::files
