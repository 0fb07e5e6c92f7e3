#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "runner/report/chart.h"
#include "runner/report/curves.h"

namespace knead::report {

/// A part of a page with a heading, which the navigation names.
struct Section {
  std::string id;     // letters, digits and dashes
  std::string title;  // plain text
  std::string html;
  bool is_open = true;  // else the reader opens it
};

/// A number that a page begins with.
struct Tile {
  std::string name;  // plain text, as the others
  std::string value;
  std::string words = "";  // small, below the value; may be empty
};

/// Describes a page: one file without links to others, which shows all without its script.
struct Page {
  std::string title;       // plain text
  std::string kind;        // "run", "runs", "sweep"
  std::string verdict;     // a sentence, plain text
  std::string state{};     // a word, which also is a class of the style; may be empty
  std::string subtitle{};  // plain text
  std::vector<Tile> tiles{};
  std::vector<Section> sections{};
  /// Holds the data of the script: {"runs": [axes_json() …], "charts": [chart_json() …]}, and more
  /// by the kind of page.
  nlohmann::ordered_json data = nlohmann::ordered_json::object();
  std::vector<std::string> notes{};  // what could not be read, plain text
};

/// Returns the page as HTML.
std::string html(const Page& page);

/// Adds a section of charts, with the controls for all of them, and what the script needs. Nothing
/// if there is no chart.
void add_charts(Page& page, const std::string& title, const std::vector<Chart>& charts);

/// Returns where the reports of a run stand: {"name", "steps", "epochs", "seconds"}, from which the
/// script computes the other axes.
nlohmann::ordered_json axes_json(const std::string& name, const Curves& curves);

/// The stylesheet and the script of all pages.
extern const std::string_view page_style;
extern const std::string_view page_script;

/// Returns the Content-Security-Policy of a page: nothing but its own stylesheet and script, by
/// their digests, and pictures that are part of the page.
std::string content_security_policy();

}  // namespace knead::report
