#pragma once

#include <filesystem>
#include <string>

namespace knead::engine::tests {

/// Evaluates a line of tests/fixtures/models/numpy.txt while a model is built: statements and an
/// expression, separated by "; ". Returns repr() of the expression as tools/record_numpy describes
/// it. `folder` gets the file of the model. Throws syntax::Refusal.
std::string result_of_snippet(const std::string& line, const std::filesystem::path& folder);

}  // namespace knead::engine::tests
