#pragma once

#include <map>
#include <string>

#include "runner/report/scale.h"

namespace knead::report {

/// The measures of a drawing, in units of its view.
struct Frame {
  double width = 560;
  double height = 250;
  double left = 54;  // for the texts of the upright axis
  double right = 12;
  double top = 10;
  double below = 34;  // for the texts of the level axis

  double bottom() const { return height - below; }
};

/// Collects shapes by the class of their style, so that a class is written once.
class Shapes {
 public:
  void add(const std::string& style, const std::string& shape) { shapes_[style] += shape; }

  /// Returns a group for each class, in descending order: the best points, "c0", lie above others.
  std::string svg() const;

 private:
  std::map<std::string, std::string> shapes_;
};

/// Returns a drawing with its title as a figure of a page. `style` are further classes.
std::string figure(const Frame& frame, const std::string& title, const std::string& svg,
                   const std::string& style = "");

/// Returns the lines and texts of an upright axis.
std::string y_axis(const Frame& frame, const Scale& scale, std::size_t most);

/// Returns the texts of a level axis, with its name below.
std::string x_axis(const Frame& frame, const Scale& scale, const std::string& name);

/// Returns a text below the frame.
std::string x_text(const Frame& frame, double x, const std::string& text);

/// Returns a bar that fills a share, from 0 to 1, of its cell of a table.
std::string bar_svg(double share);

/// Returns a time such as "2026-11-25 13:18:37" as seconds from a fixed moment; 0 for another text.
double seconds_of(const std::string& time);

}  // namespace knead::report
