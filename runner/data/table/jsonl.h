#pragma once

#include "recipe/tables.h"
#include "runner/data/table/table.h"

namespace knead::data {

/// Reads all lines of a file of JSON lines into the fields of a recipe and skips blank lines.
/// Throws knead::Error with file and line of the fault: a line that is not a JSON object, a missing
/// or duplicate key, a value of another kind or shape than its field, a number that does not fit
/// its type, a word that is not one of its categories.
Table read_jsonl(const recipe::Jsonl& jsonl);

}  // namespace knead::data
