#include "runner/track/network/mlflow_server.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/base64.h"
#include "schema/document/json_text.h"

namespace knead::track {
namespace {

using Json = nlohmann::json;

constexpr const char* kApi = "/api/2.0/mlflow/";
constexpr std::size_t kLongestParam = 6'000;
constexpr std::size_t kLongestTag = 5'000;

/// Returns the first bytes of a text that a server has sent, safe to print.
std::string said(std::string_view text) {
  constexpr std::size_t kMost = 200;
  std::string out;
  for (const char c : text.substr(0, kMost)) out += c >= ' ' && c <= '~' ? c : ' ';
  return text.size() > kMost ? out + "..." : out;
}

/// Percent-encodes all but unreserved letters of a URL, and but for `/` where `is_path`.
std::string encoded(std::string_view text, bool is_path = false) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) ||
                          std::string_view("-._~").find(c) != std::string_view::npos ||
                          (is_path && c == '/');
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

web::Address address_of(const recipe::MlflowSink& sink) {
  // The message of parse_address() repeats the address, and what stands before an @ is a secret.
  if (sink.url.find('@') != std::string::npos)
    throw Error("the address of the MLflow server holds a user name",
                "write username and password, as ${env:NAME}", Exit::invalid_recipe);
  return web::parse_address(sink.url);
}

std::vector<std::pair<std::string, std::string>> headers_of(const recipe::MlflowSink& sink) {
  if (sink.token) return {{"Authorization", "Bearer " + *sink.token}};
  if (!sink.username) return {};
  std::string pair = *sink.username + ":";
  if (sink.password) pair += *sink.password;
  return {{"Authorization", "Basic " + files::to_base64(pair)}};
}

/// Returns what must not stand in a message, though a server may repeat it.
std::vector<std::string> secrets_of(const recipe::MlflowSink& sink) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : headers_of(sink)) secrets.push_back(value.substr(6));
  for (const auto& value : {sink.token, sink.username, sink.password})
    if (value && !value->empty()) secrets.push_back(*value);
  return secrets;
}

/// Returns a text that a server has sent without the secrets that it was sent.
std::string without(const std::vector<std::string>& secrets, std::string text) {
  for (const std::string& secret : secrets) {
    for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret, at))
      text.replace(at, secret.size(), "***");
  }
  return text;
}

Json number_for_mlflow(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

/// Returns texts as MLflow takes them, each cut to `longest` bytes, where a letter begins.
Json texts_for_mlflow(const std::vector<MlflowText>& texts, std::size_t longest) {
  Json list = Json::array();
  for (const auto& [key, value] : texts) {
    std::size_t size = std::min(value.size(), longest);
    while (size < value.size() && size > 0 && (value[size] & 0xc0) == 0x80) --size;
    list.push_back({{"key", key}, {"value", value.substr(0, size)}});
  }
  return list;
}

std::string as_text(const Json& body) { return schema::readable_json_text(body); }

}  // namespace

/// Holds a JSON answer, of which the code is empty unless the server reports a mistake.
struct MlflowServer::Reply {
  Json json;
  std::string code;
};

MlflowServer::MlflowServer(const recipe::MlflowSink& sink)
    : origin_(address_of(sink).origin()),
      prefix_(address_of(sink).path),
      secrets_(secrets_of(sink)),
      exchange_(address_of(sink), headers_of(sink), {}) {
  while (prefix_.ends_with('/')) prefix_.pop_back();
}

void MlflowServer::refuse(const std::string& why) const {
  throw Error(fmt::format("MLflow at {}: {}", origin_, why),
              "see that the server runs and that the address is right");
}

MlflowServer::Reply MlflowServer::call(const std::string& method, const std::string& path,
                                       const std::string& body) {
  web::Answer answer;
  try {
    answer = exchange_.send({method, prefix_ + kApi + path, body});
  } catch (const Error& error) {
    refuse(error.what());
  }
  if (answer.status >= 300 && answer.status < 400)
    refuse("it leads to another address, which is not followed");
  auto json = schema::parse_json_or_none(answer.body);
  const bool is_object = json && json->is_object();
  if (answer.status == 200 && is_object) return {std::move(*json), ""};
  if (answer.status == 200) refuse("what answers is no MLflow server");
  std::string code;
  std::string message;
  if (is_object) {
    const auto text = [&](const char* key) {
      const auto found = json->find(key);
      return found != json->end() && found->is_string() ? found->get<std::string>() : "";
    };
    code = text("error_code");
    message = text("message");
  }
  if (code == "RESOURCE_DOES_NOT_EXIST" || code == "RESOURCE_ALREADY_EXISTS") return {{}, code};
  refuse(fmt::format("it says {}{}{}", answer.status, message.empty() ? "" : ": ",
                     said(without(secrets_, message))));
}

namespace {

/// Reads a member of an answer. Throws nlohmann::json::exception if it is not there.
const Json& member(const Json& json, std::initializer_list<const char*> names) {
  const Json* value = &json;
  for (const char* name : names) value = &value->at(name);
  return *value;
}

constexpr const char* kOtherAnswer = "its answer is not that of MLflow's API 2.0";

}  // namespace

std::string MlflowServer::experiment(const std::string& name) try {
  const std::string by_name = "experiments/get-by-name?experiment_name=" + encoded(name);
  Reply reply = call("GET", by_name);
  if (!reply.code.empty()) {
    reply = call("POST", "experiments/create", as_text({{"name", name}}));
    if (reply.code.empty()) return member(reply.json, {"experiment_id"}).get<std::string>();
    // Another run has made it meanwhile.
    reply = call("GET", by_name);
  }
  return member(reply.json, {"experiment", "experiment_id"}).get<std::string>();
} catch (const Json::exception&) {
  refuse(kOtherAnswer);
}

std::optional<std::string> MlflowServer::find_run(const std::string& experiment,
                                                  const MlflowText& tag) try {
  const Json wanted{{"experiment_ids", {experiment}},
                    {"filter", fmt::format("tags.`{}` = '{}'", tag.first, tag.second)},
                    {"max_results", 1}};
  const Reply reply = call("POST", "runs/search", as_text(wanted));
  const auto runs = reply.json.find("runs");
  if (runs == reply.json.end() || runs->empty()) return std::nullopt;
  return member(runs->at(0), {"info", "run_id"}).get<std::string>();
} catch (const Json::exception&) {
  refuse(kOtherAnswer);
}

std::string MlflowServer::create_run(const std::string& experiment, const std::string& name,
                                     std::int64_t milliseconds,
                                     const std::vector<MlflowText>& tags) try {
  const Json wanted{{"experiment_id", experiment},
                    {"run_name", name},
                    {"start_time", milliseconds},
                    {"tags", texts_for_mlflow(tags, kLongestTag)}};
  const Reply reply = call("POST", "runs/create", as_text(wanted));
  return member(reply.json, {"run", "info", "run_id"}).get<std::string>();
} catch (const Json::exception&) {
  refuse(kOtherAnswer);
}

MlflowRun MlflowServer::run(const std::string& id) try {
  const Reply reply = call("GET", "runs/get?run_id=" + encoded(id));
  if (!reply.code.empty())
    throw MlflowRunIsGone(fmt::format("MLflow at {} has this run no more", origin_));
  const Json& run = reply.json.at("run");
  MlflowRun found;
  found.id = id;
  found.artifacts = member(run, {"info", "artifact_uri"}).get<std::string>();
  const Json data = run.value("data", Json::object());
  for (const Json& each : data.value("metrics", Json::array())) {
    const std::int64_t step = each.contains("step") ? each.at("step").get<std::int64_t>() : 0;
    found.last[each.at("key").get<std::string>()] =
        static_cast<std::uint64_t>(std::max<std::int64_t>(step, 0));
  }
  for (const Json& each : data.value("params", Json::array()))
    found.params.insert(each.at("key").get<std::string>());
  return found;
} catch (const Json::exception&) {
  refuse(kOtherAnswer);
}

void MlflowServer::log(const std::string& id, const std::vector<MlflowMetric>& metrics,
                       const std::vector<MlflowText>& params) {
  Json list = Json::array();
  for (const MlflowMetric& each : metrics)
    list.push_back({{"key", each.key},
                    {"value", number_for_mlflow(each.value)},
                    {"timestamp", each.milliseconds},
                    {"step", each.step}});
  const Json body{{"run_id", id},
                  {"metrics", std::move(list)},
                  {"params", texts_for_mlflow(params, kLongestParam)}};
  const Reply reply = call("POST", "runs/log-batch", as_text(body));
  if (!reply.code.empty())
    throw MlflowRunIsGone(fmt::format("MLflow at {} has this run no more", origin_));
}

void MlflowServer::set_status(const std::string& id, const std::string& status,
                              std::optional<std::int64_t> milliseconds) {
  Json body{{"run_id", id}, {"status", status}};
  if (milliseconds) body["end_time"] = *milliseconds;
  call("POST", "runs/update", as_text(body));
}

bool MlflowServer::put(const MlflowRun& run, const std::string& name,
                       const std::filesystem::path& file) {
  constexpr std::string_view kScheme = "mlflow-artifacts:";
  if (!run.artifacts.starts_with(kScheme)) return false;
  // mlflow-artifacts:/E/R/artifacts, or with a host behind the scheme.
  std::string path = run.artifacts.substr(kScheme.size());
  if (path.starts_with("//")) path.erase(0, std::min(path.find('/', 2), path.size()));
  const std::string place = fmt::format("{}/api/2.0/mlflow-artifacts/artifacts{}/{}", prefix_,
                                        encoded(path, true), encoded(name, true));
  web::Answer answer;
  try {
    answer = exchange_.send({"PUT", place, "", "application/octet-stream", file});
  } catch (const Error& error) {
    refuse(error.what());
  }
  if (answer.status < 200 || answer.status > 299)
    refuse(fmt::format("it says {} to the file {}", answer.status, name));
  return true;
}

std::string mlflow_key(std::string_view name) {
  std::string key;
  for (const char c : name.substr(0, 250)) {
    const bool is_taken = std::isalnum(static_cast<unsigned char>(c)) ||
                          std::string_view("/_.- ").find(c) != std::string_view::npos;
    key += is_taken ? c : '_';
  }
  return key;
}

}  // namespace knead::track
