#include "runner/report/figure.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "runner/report/html.h"

namespace knead::report {

std::string Shapes::svg() const {
  std::string out;
  for (auto each = shapes_.rbegin(); each != shapes_.rend(); ++each)
    out += fmt::format("<g class=\"{}\">{}</g>", each->first, each->second);
  return out;
}

std::string figure(const Frame& frame, const std::string& title, const std::string& svg,
                   const std::string& style) {
  const bool scrolls = style.find("scrolls") != style.npos;
  return fmt::format(
      "<figure class=\"chart {}\"><figcaption>{}</figcaption><div class=\"drawing\"{}><svg "
      "viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg></div></figure>\n",
      style, escaped(title),
      scrolls ? fmt::format(" role=\"region\" tabindex=\"0\" aria-label=\"{}\"", escaped(title))
              : "",
      place_text(frame.width), place_text(frame.height), escaped(title), svg);
}

std::string y_axis(const Frame& frame, const Scale& scale, std::size_t most) {
  std::string out = "<g class=\"axes\">";
  for (const Tick& tick : ticks(scale, most)) {
    const std::string y = place_text(scale.place(tick.value));
    out += fmt::format("<path d=\"M{} {}H{}\"/><text x=\"{}\" y=\"{}\" dy=\".32em\">{}</text>",
                       frame.left, y, place_text(frame.width - frame.right), frame.left - 6, y,
                       tick.text);
  }
  return out + "</g>";
}

std::string x_text(const Frame& frame, double x, const std::string& text) {
  return fmt::format("<text class=\"x\" x=\"{}\" y=\"{}\">{}</text>", place_text(x),
                     place_text(frame.bottom() + 16), escaped(text));
}

std::string x_axis(const Frame& frame, const Scale& scale, const std::string& name) {
  std::string out = "<g class=\"axes\">";
  const auto most = static_cast<std::size_t>(frame.width / 80);
  for (const Tick& tick : ticks(scale, most < 2 ? 2 : most))
    out += x_text(frame, scale.place(tick.value), tick.text);
  return out + fmt::format("<text class=\"x name\" x=\"{}\" y=\"{}\">{}</text></g>",
                           place_text((frame.left + frame.width - frame.right) / 2),
                           place_text(frame.height - 4), escaped(name));
}

std::string bar_svg(double share) {
  share = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"rest\" width=\"100\" height=\"12\"/><rect width=\"{}\" "
      "height=\"12\"/></svg>",
      place_text(100 * share));
}

double seconds_of(const std::string& time) {
  std::tm parts{};
  if (::strptime(time.c_str(), "%Y-%m-%d %H:%M:%S", &parts) == nullptr) return 0;
  return static_cast<double>(::timegm(&parts));
}

}  // namespace knead::report
