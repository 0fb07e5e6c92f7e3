#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runner/plan/evaluations.h"
#include "runner/track/generated_text.h"
#include "runner/track/report.h"

namespace knead::track {

/// Returns a report as its line in metrics.jsonl.
nlohmann::ordered_json as_json(const Report& report);
/// Returns an evaluation as its line in evaluations.jsonl.
nlohmann::ordered_json as_json(const plan::Evaluation& evaluation);
/// Returns a text as its line in generated.jsonl.
nlohmann::ordered_json as_json(const GeneratedText& text);

/// Reads a line of metrics.jsonl. Throws nlohmann::json::exception if a number is missing.
Report report_from(const nlohmann::ordered_json& line);
/// Reads a line of evaluations.jsonl: all keys but step, set and seconds are values. Throws
/// nlohmann::json::exception if one of these is missing or a value is no number.
plan::Evaluation evaluation_from(const nlohmann::ordered_json& line);
/// Reads a line of generated.jsonl. Throws nlohmann::json::exception if a value is missing.
GeneratedText generated_from(const nlohmann::ordered_json& line);

}  // namespace knead::track
