#pragma once

#include "recipe.h"
#include "runner/data/table/table.h"

namespace knead::data {

/// Reads all lines of a file of JSON lines into the fields of a recipe; blank ones do not count.
/// Throws knead::Error with file and line of what is wrong: no JSON, a key that is not there or
/// is there twice, a value of another kind or shape than the field, a number that its type cannot
/// hold, a word that is none of its categories.
Table read_jsonl(const recipe::Jsonl& jsonl);

}  // namespace knead::data
