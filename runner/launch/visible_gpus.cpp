#include "runner/launch/visible_gpus.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace knead::launch {
namespace {

std::int64_t gpus_in(const std::filesystem::path& devices) {
  constexpr std::string_view begin = "nvidia";
  std::int64_t count = 0;
  std::error_code error;
  std::filesystem::directory_iterator each(devices, error), end;
  for (; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    const bool is_gpu = name.starts_with(begin) && name.size() > begin.size() &&
                        name.find_first_not_of("0123456789", begin.size()) == name.npos;
    count += is_gpu ? 1 : 0;
  }
  return count;
}

/// Counts the items of "0,2" or "GPU-8f3…,MIG-…" up to the first that names no GPU.
std::int64_t named_gpus(std::string_view list) {
  std::int64_t count = 0;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, comma);
    if (item.find_first_not_of(' ') == item.npos || item.find("-1") == 0) break;
    ++count;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return count;
}

}  // namespace

std::int64_t visible_gpus(const schema::Environment& environment,
                          const std::filesystem::path& devices) {
  const std::int64_t count = gpus_in(devices);
  const auto list = environment("CUDA_VISIBLE_DEVICES");
  return list ? std::min(count, named_gpus(*list)) : count;
}

}  // namespace knead::launch
