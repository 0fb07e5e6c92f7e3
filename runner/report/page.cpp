#include "runner/report/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/report/html.h"
#include "runner/report/page_digests.h"

namespace knead::report {
namespace {

std::string tiles_html(const std::vector<Tile>& tiles) {
  std::string out = "<dl class=\"tiles\">";
  for (const Tile& tile : tiles) {
    out += fmt::format("<div><dt>{}</dt><dd>{}", escaped(tile.name), escaped(tile.value));
    if (!tile.words.empty()) out += fmt::format("<small>{}</small>", escaped(tile.words));
    out += "</dd></div>";
  }
  return out + "</dl>\n";
}

std::string notes_html(const std::vector<std::string>& notes) {
  if (notes.empty()) return "";
  std::string out =
      "<aside class=\"notes\" aria-label=\"What could not be read\"><h2>Not all could be read</h2>"
      "<ul>";
  for (const std::string& note : notes) out += fmt::format("<li>{}</li>", escaped(note));
  return out + "</ul></aside>\n";
}

std::string navigation_html(const Page& page) {
  std::string out = "<nav aria-label=\"Parts of this page\"><ul>";
  for (const Section& section : page.sections)
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, escaped(section.title));
  return out + "</ul></nav>\n";
}

std::string section_html(const Section& section) {
  const std::string title = escaped(section.title);
  if (section.is_open)
    return fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 "
        "id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
        section.id, title, section.html);
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><details><summary><h2 "
      "id=\"{0}-title\">{1}</h2></summary>\n{2}</details></section>\n",
      section.id, title, section.html);
}

std::string head_html(const Page& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"knead {}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      content_security_policy(), KNEAD_VERSION, escaped(page.title), page_style);
}

}  // namespace

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri "
      "'none'; "
      "form-action 'none'",
      kStyleDigest, kScriptDigest);
}

std::string html(const Page& page) {
  std::string out = head_html(page);
  out += fmt::format(
      "<body class=\"{}\">\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
      "<header><div class=\"headline\"><h1>{}</h1>{}</div>",
      page.kind, escaped(page.title),
      page.state.empty()
          ? ""
          : fmt::format("<span class=\"state {0}\">{0}</span>", escaped(page.state)));
  if (!page.subtitle.empty())
    out += fmt::format("<p class=\"subtitle\">{}</p>", escaped(page.subtitle));
  out += fmt::format("<p class=\"verdict\">{}</p></header>\n{}<main id=\"main\">\n",
                     escaped(page.verdict), navigation_html(page));
  out += tiles_html(page.tiles) + notes_html(page.notes);
  for (const Section& section : page.sections) out += section_html(section);
  out += fmt::format("</main>\n<footer>Written by knead {}. This file needs no network.</footer>\n",
                     KNEAD_VERSION);
  return out + fmt::format(
                   "<script type=\"application/json\" id=\"data\">{}</script>\n"
                   "<script>{}</script>\n</body>\n</html>\n",
                   script_json(page.data), page_script);
}

void add_charts(Page& page, const std::string& title, const std::vector<Chart>& charts) {
  if (charts.empty()) return;
  // The script makes the controls, because without it they would do nothing.
  std::string body = "<div class=\"controls\"></div>";
  const bool is_any_thinned = std::any_of(charts.begin(), charts.end(), [](const Chart& chart) {
    return std::any_of(chart.lines.begin(), chart.lines.end(), is_thinned);
  });
  if (is_any_thinned)
    body +=
        "<p class=\"note\">Where a point stands for several reports, the line is their mean, and "
        "the "
        "area reaches from their least to their largest value.</p>";
  body += "<div class=\"charts\">";
  for (const Chart& chart : charts) {
    body += html(chart);
    page.data["charts"].push_back(chart_json(chart));
  }
  page.sections.push_back({"curves", title, body + "</div>"});
}

nlohmann::ordered_json axes_json(const std::string& name, const Curves& curves) {
  using Json = nlohmann::ordered_json;
  Json steps = Json::array(), epochs = Json::array(), seconds = Json::array();
  for (const Column& column : curves.axes()) {
    steps.push_back(short_json(column.last.step));
    epochs.push_back(short_json(column.last.epoch));
    seconds.push_back(short_json(column.last.seconds));
  }
  return {{"name", name},
          {"steps", std::move(steps)},
          {"epochs", std::move(epochs)},
          {"seconds", std::move(seconds)}};
}

}  // namespace knead::report
