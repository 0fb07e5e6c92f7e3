#include "runner/run/notice.h"

#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/run/overview.h"
#include "runner/track/short_text.h"
#include "schema/document/json_text.h"

namespace knead::run {
namespace {

using Json = nlohmann::ordered_json;
using On = recipe::Notice::On;
using Type = recipe::Notice::Type;

On kind_of_end(Exit code) {
  if (code == Exit::done) return On::finished;
  return code == Exit::stopped || code == Exit::interrupted ? On::stopped : On::failed;
}

/// Says what an exit code means, as the README does.
std::string_view reason_of(Exit code) {
  switch (code) {
    case Exit::done: return "";
    case Exit::internal_error: return "an internal error";
    case Exit::invalid_recipe: return "an invalid recipe";
    case Exit::not_usable: return "data, a model or the environment cannot be used";
    case Exit::expectation_failed: return "an expectation is not met";
    case Exit::training_failed: return "training failed";
    case Exit::rank_lost: return "a process was lost or hung";
    case Exit::resume_refused: return "it cannot be resumed as the recipe is now";
    case Exit::stopped: return "the same command goes on";
    case Exit::interrupted: return "interrupted twice";
  }
  return "";
}

/// Returns the message as a sentence for people.
std::string sentence_of(const RunEnding& ending) {
  std::string text = fmt::format("{} {}", ending.name, to_string(kind_of_end(ending.code)));
  if (ending.step > 0) text += fmt::format(" after step {}", ending.step);
  if (const std::string_view reason = reason_of(ending.code); !reason.empty())
    text += fmt::format(": {}", reason);
  if (!ending.best.empty()) text += fmt::format("; best {}", ending.best);
  return text + fmt::format(" ({}:{})", ending.host, ending.folder.string());
}

/// Escapes the three characters that Slack's markup takes for its own.
std::string for_slack(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

Json body_of(Type type, const RunEnding& ending) {
  constexpr std::size_t kMostOfDiscord = 1'900;
  const std::string sentence = sentence_of(ending);
  if (type == Type::slack) return {{"text", for_slack(sentence)}};
  if (type == Type::discord)
    // No name in the text calls anybody.
    return {{"content", sentence.substr(0, kMostOfDiscord)},
            {"allowed_mentions", {{"parse", Json::array()}}}};
  return {{"name", ending.name},
          {"end", to_string(kind_of_end(ending.code))},
          {"exit_code", static_cast<int>(ending.code)},
          {"step", ending.step},
          {"best", ending.best},
          {"host", ending.host},
          {"folder", ending.folder.string()},
          {"text", sentence}};
}

}  // namespace

std::vector<Notice> notices_of(const recipe::Recipe& recipe, const RunEnding& ending) {
  const On end = kind_of_end(ending.code);
  std::vector<Notice> notices;
  for (const recipe::Notice& each : recipe.notify) {
    if (each.url.empty() || std::find(each.on.begin(), each.on.end(), end) == each.on.end())
      continue;
    notices.push_back({each.url, schema::readable_json_text(body_of(each.type, ending))});
  }
  return notices;
}

RunEnding ending_of_run(const std::filesystem::path& folder, Exit code) {
  RunEnding ending{folder.filename().string(), folder, "", code, 0, ""};
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) == 0) ending.host = host;
  try {
    const Overview overview = look_at_run(folder);
    ending.step = overview.step;
    if (overview.best)
      ending.best = fmt::format("{} {} at step {}", overview.monitor,
                                track::short_number(overview.best->value), overview.best->step);
  } catch (const Error&) {
    // The end is told without them.
  }
  return ending;
}

std::string to_lines(const std::vector<Notice>& notices) {
  std::string lines;
  for (const Notice& each : notices)
    lines += schema::readable_json_text(Json{{"url", each.url}, {"body", each.body}}) + "\n";
  return lines;
}

std::vector<Notice> notices_in(const std::string& lines) {
  std::vector<Notice> notices;
  std::size_t begin = 0;
  for (std::size_t end = lines.find('\n'); end != lines.npos; end = lines.find('\n', begin)) {
    const nlohmann::json line = schema::parse_json(lines.substr(begin, end - begin));
    notices.push_back({line.at("url").get<std::string>(), line.at("body").get<std::string>()});
    begin = end + 1;
  }
  return notices;
}

}  // namespace knead::run
