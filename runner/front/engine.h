#pragma once

#include <filesystem>

namespace knead::front {

/// The program that trains: KNEAD_ENGINE, or knead-engine beside this program.
std::filesystem::path engine_program();

}  // namespace knead::front
