#include <algorithm>

#include "schema/catalog.h"
#include "schema/validate.h"

namespace knead::schema {
namespace {

std::size_t steps_in(std::string_view path) {
  return path.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

std::string_view first_steps(std::string_view path, std::size_t steps) {
  std::size_t end = 0;
  for (; steps > 0; --steps) end = std::min(path.find('.', end + (end > 0)), path.size());
  return path.substr(0, end);
}

}  // namespace

bool Checked::is_certain(std::string_view path) const {
  return std::none_of(doubtful.begin(), doubtful.end(), [&](const std::string& bad) {
    // The shorter path, made as long as it is in steps, must match the beginning of the longer one.
    const std::size_t steps = std::min(steps_in(bad), steps_in(path));
    return matches(first_steps(bad, steps), first_steps(path, steps));
  });
}

}  // namespace knead::schema
