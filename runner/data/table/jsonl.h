#pragma once

#include "recipe/tables.h"
#include "runner/data/table/table.h"

namespace knead::data {

/// Reads all lines of a file of JSON lines (jsonlines.org) into the fields of a recipe and skips
/// blank lines. A field without a key reads the key of its own name; keys that no field reads are
/// ignored. A field without a shape takes that of its first value, and later values must be nested
/// alike. A field with a shape takes the numbers of lists in their order, however deep they are
/// nested: both a list of 4 numbers and two lists of 2 fit (2, 2).
///
/// Throws knead::Error with file and line of the fault: a line that is not a JSON object, a missing
/// or duplicate key, a value of another kind or number of items than its field, lists of one depth
/// that have different lengths, a number that does not fit its type, a word that is not one of its
/// categories. Throws knead::Error too if the file has no rows.
Table read_jsonl(const recipe::Jsonl& jsonl);

}  // namespace knead::data
