#pragma once

#include "recipe.h"
#include "runner/data/table/table.h"

namespace knead::data {

/// Reads all rows of a csv file into the fields of a recipe.
/// Throws knead::Error with file, line and column of what is wrong: a file that is not there or has
/// no rows, rows of different lengths, a cell that is no number or one that the field's type cannot
/// hold, a column that does not exist, or a name that two columns have.
Table read_csv(const recipe::Csv& csv);

}  // namespace knead::data
