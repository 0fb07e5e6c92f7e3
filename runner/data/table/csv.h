#pragma once

#include "recipe/tables.h"
#include "runner/data/table/table.h"

namespace knead::data {

/// Reads all rows of a csv file into the fields of a recipe. The first row is skipped if it is a
/// header: see Columns. Memory holds the whole file while it is read, and then only the fields.
///
/// Throws knead::Error with file, line and column of the fault: a file that is missing or has no
/// rows, rows of different lengths, a blank line before the end, a cell that is not a number or
/// does not fit the type of its field, a column that does not exist, a name that two columns have.
Table read_csv(const recipe::Csv& csv);

}  // namespace knead::data
