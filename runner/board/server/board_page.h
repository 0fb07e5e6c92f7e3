#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/report/page.h"

namespace knead::board {

/// A page of the board: one of a report, with the way back and with what keeps it up to date.
struct BoardPage {
  report::Page page;
  /// The folder whose events the page follows, as the parameter of /events names it.
  std::string folder;
  /// The runs at whose events it is read anew; empty: at any of the folder.
  std::vector<std::string> runs{};
  /// Links above the page, to targets below the token: ("all runs", ".").
  std::vector<std::pair<std::string, std::string>> links{};
};

/// Returns the page as HTML.
std::string html(const BoardPage& page);

/// Returns the Content-Security-Policy of all answers: the style and script of pages by their
/// digests, those of the board as files of its own, nothing else, and no frame around it.
std::string board_policy();

/// The script and the style that the board adds to pages.
extern const std::string_view board_script;
extern const std::string_view board_style;

}  // namespace knead::board
