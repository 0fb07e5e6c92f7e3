#include "schema/document/told_error.h"

#include <filesystem>
#include <new>

#include <fmt/format.h>

namespace knead::schema {

std::optional<Error> told_error(const std::exception& failure) {
  if (const auto* path = dynamic_cast<const std::filesystem::filesystem_error*>(&failure))
    return Error(
        fmt::format("cannot use '{}': {}", path->path1().string(), path->code().message()));
  if (dynamic_cast<const std::bad_alloc*>(&failure))
    return Error("there is no more memory", "free some, or take less data or a smaller batch");
  return std::nullopt;
}

}  // namespace knead::schema
