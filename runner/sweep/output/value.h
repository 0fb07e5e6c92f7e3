#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace knead::sweep {

/// Returns the value of a swept key, given as YAML on one line, as JSON: a number for "0.001", a
/// list for "[0.9, 0.999]". A number that is not finite becomes a text: "Infinity".
nlohmann::ordered_json value_as_json(const std::string& yaml);

/// Returns the value of a swept key without the quotes of a text: relu for "relu".
std::string value_in_words(const std::string& yaml);

/// Returns a number for JSON, which has no word for one that is not finite: the texts "NaN",
/// "Infinity" and "-Infinity", as in the journals of a run.
nlohmann::ordered_json number_as_json(double number);

}  // namespace knead::sweep
