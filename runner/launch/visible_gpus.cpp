#include "runner/launch/visible_gpus.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace knead::launch {
namespace {

std::size_t gpus_in(const std::filesystem::path& devices) {
  constexpr std::string_view begin = "nvidia";
  std::size_t count = 0;
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

/// Returns the items of "0,2" or "GPU-8f3…,MIG-…" up to the first that names no GPU.
std::vector<std::string> named_gpus(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, comma);
    if (item.find_first_not_of(' ') == item.npos || item.find("-1") == 0) break;
    names.emplace_back(item);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

std::vector<std::string> numbered_gpus(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

std::vector<std::string> visible_gpus(const schema::Environment& environment,
                                      const std::filesystem::path& devices) {
  const std::size_t count = gpus_in(devices);
  const auto list = environment("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> names = list ? named_gpus(*list) : numbered_gpus(count);
  names.resize(std::min(names.size(), count));
  return names;
}

}  // namespace knead::launch
