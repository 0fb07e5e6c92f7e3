#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace knead::report {

/// Returns a text as the content of an element or of an attribute in double quotes: the only way in
/// which text of a run reaches a page. `& < > " '` are replaced, and what readable_text() replaces.
std::string escaped(std::string_view text);

/// Returns JSON for an element `script`: without `<`, which could end the element.
std::string script_json(const nlohmann::ordered_json& data);

/// Returns a number for the data of a page, rounded to 6 significant digits: null if it is not
/// finite.
nlohmann::ordered_json short_json(double number);

/// A column of a table.
struct TableColumn {
  std::string title;
  bool is_number = false;  // aligned right, and sorted by value
};

/// A cell: its content as HTML, and by what the column is sorted, if not by its text.
struct Cell {
  std::string html;
  std::string sort_key = "";
};

/// Holds a table of a page. Rows may be sorted in place by the page's script.
struct Table {
  std::string caption;  // says what the table shows, for those who do not see it as well
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> row_classes{};  // by row; empty: none has one
  std::vector<std::size_t> row_marks{};    // by row: data-t, as shapes of figures have it
  bool is_sortable = false;
  bool is_tight = false;  // no cell is wrapped
  bool shows_caption = true;
};

/// Returns the table as HTML, in a frame that scrolls sideways and can be reached by keyboard.
std::string html(const Table& table);

/// Returns a list of names with values, as a description list; both are HTML.
std::string html_facts(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace knead::report
