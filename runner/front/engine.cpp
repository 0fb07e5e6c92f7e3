#include "runner/front/engine.h"

#include <cstdlib>

namespace knead::front {

std::filesystem::path engine_program() {
  if (const char* named = std::getenv("KNEAD_ENGINE"); named && *named) return named;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "knead-engine";
}

}  // namespace knead::front
