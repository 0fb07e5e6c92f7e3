#include "runner/board/server/board_page.h"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/board/server/target.h"
#include "runner/report/html.h"
#include "schema/document/json_text.h"

namespace knead::board {
namespace {

/// Replaces a text that occurs. What is looked for are the fixed parts that all pages have.
void replace(std::string& html, const std::string& old, const std::string& with) {
  const std::size_t at = html.find(old);
  if (at == html.npos) throw std::logic_error("a page of a report has no " + old);
  html.replace(at, old.size(), with);
}

std::string navigation(const BoardPage& page) {
  std::string out = "<nav class=\"board\" aria-label=\"Board\">";
  for (const auto& [words, target] : page.links)
    out += fmt::format("<a href=\"{}\">{}</a>", report::escaped(target), report::escaped(words));
  return out + "<span id=\"live\" role=\"status\"></span></nav>\n";
}

}  // namespace

std::string board_policy() {
  std::string policy = report::content_security_policy();
  replace(policy, "style-src ", "style-src 'self' ");
  replace(policy, "script-src ", "script-src 'self' ");
  return policy + "; connect-src 'self'; frame-ancestors 'none'";
}

std::string html(const BoardPage& page) {
  std::string out = report::html(page.page);
  // The policy of a file would hold beside that of the answer, and lets no second script in.
  replace(out,
          fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n",
                      report::content_security_policy()),
          "");
  replace(out, "</head>", "<link rel=\"stylesheet\" href=\"board.css\">\n</head>");
  replace(out, "<header>", navigation(page) + "<header>");
  const nlohmann::ordered_json runs = page.runs;
  // Behind all that a folder may have a say in: the last </body> is that of the page.
  const std::size_t end = out.rfind("</body>");
  if (end == out.npos) throw std::logic_error("a page of a report has no </body>");
  out.insert(end, fmt::format("<script src=\"board.js\" data-folder=\"{}\" data-runs=\"{}\">"
                              "</script>\n",
                              report::escaped(encoded(page.folder)),
                              report::escaped(schema::readable_json_text(runs))));
  return out;
}

}  // namespace knead::board
