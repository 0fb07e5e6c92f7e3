#include "runner/track/network/mlflow_server.h"

#include <cmath>
#include <thread>

#include <httplib.h>
#include <catch2/catch.hpp>

#include "runner/track/network/mlflow_delivery.h"
#include "tests/folder.h"

using namespace knead;
using track::MlflowServer;

namespace {

/// A server on this machine that writes down what it is asked, and gives one answer to all.
class Listener {
 public:
  Listener() {
    const auto note = [this](const httplib::Request& request, httplib::Response& response) {
      said += request.method + " " + request.target + " " + request.body + "\n";
      authorization = request.get_header_value("Authorization");
      response.status = status;
      response.set_content(answer, "application/json");
    };
    server_.Get(".*", note).Post(".*", note).Put(".*", note);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Listener() {
    server_.stop();
    thread_.join();
  }

  recipe::MlflowSink sink() const {
    recipe::MlflowSink sink;
    sink.url = "http://127.0.0.1:" + std::to_string(port_) + "/below/";
    return sink;
  }

  std::string said;
  std::string authorization;
  int status = 200;
  std::string answer = "{}";

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The message without the port of the test.
std::string without_port(std::string text) {
  const std::size_t begin = text.find("127.0.0.1:") + 9;
  return text.replace(begin, text.find(':', begin + 1) - begin, "");
}

}  // namespace

TEST_CASE("numbers are sent as the API takes them, those that JSON lacks as texts") {
  Listener listener;
  MlflowServer server(listener.sink());
  server.log("r", {{"train/loss", 0.5, 1000, 10}, {"a", NAN, 1, 0}, {"b", -INFINITY, 1, 0}},
             {{"p", "1"}});
  CHECK(listener.said ==
        "POST /below/api/2.0/mlflow/runs/log-batch {\"metrics\":["
        "{\"key\":\"train/loss\",\"step\":10,\"timestamp\":1000,\"value\":0.5},"
        "{\"key\":\"a\",\"step\":0,\"timestamp\":1,\"value\":\"NaN\"},"
        "{\"key\":\"b\",\"step\":0,\"timestamp\":1,\"value\":\"-Infinity\"}],"
        "\"params\":[{\"key\":\"p\",\"value\":\"1\"}],\"run_id\":\"r\"}\n");
}

TEST_CASE("a long param is cut where a letter ends") {
  Listener listener;
  MlflowServer server(listener.sink());
  std::string value(5'999, 'x');
  server.log("r", {}, {{"p", value + "\xc3\xa4"}});
  CHECK(listener.said.find("\"" + value + "\"") != std::string::npos);
}

TEST_CASE("who asks is told by a token, or by a name and a password") {
  Listener listener;
  recipe::MlflowSink sink = listener.sink();
  sink.username = "Aladdin";
  sink.password = "open sesame";
  MlflowServer(sink).log("r", {}, {});
  CHECK(listener.authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  sink.token = "secret";
  MlflowServer(sink).log("r", {}, {});
  CHECK(listener.authorization == "Bearer secret");
}

TEST_CASE("what a server says wrongly is said in one sentence, without its control characters") {
  Listener listener;
  MlflowServer server(listener.sink());
  const auto refused = [&] { return without_port(refusal_of([&] { server.run("r"); })); };
  listener.answer = "<html>";
  CHECK(refused() == "MLflow at http://127.0.0.1: what answers is no MLflow server");
  listener.answer = R"({"run": {"info": 1}})";
  CHECK(refused() == "MLflow at http://127.0.0.1: its answer is not that of MLflow's API 2.0");
  listener.status = 500;
  listener.answer = "{\"error_code\": \"X\", \"message\": \"a\\u001b[31mb\\n\"}";
  CHECK(refused() == "MLflow at http://127.0.0.1: it says 500: a [31mb ");
  listener.answer = R"({"error_code": 1, "message": ["a"]})";
  CHECK(refused() == "MLflow at http://127.0.0.1: it says 500");
  listener.status = 404;
  listener.answer = R"({"error_code": "RESOURCE_DOES_NOT_EXIST"})";
  CHECK_THROWS_AS(server.run("r"), track::MlflowRunIsGone);
}

TEST_CASE("a run is read with the last steps of its metrics and its params") {
  Listener listener;
  listener.answer =
      R"({"run": {"info": {"artifact_uri": "mlflow-artifacts:/1/r/artifacts"}, "data": {"metrics": )"
      R"([{"key": "a", "step": 7, "value": 1.0}, {"key": "b", "value": "NaN"}], "params": )"
      R"([{"key": "p", "value": "1"}]}}})";
  MlflowServer server(listener.sink());
  const track::MlflowRun run = server.run("r/1");
  CHECK(listener.said == "GET /below/api/2.0/mlflow/runs/get?run_id=r%2F1 \n");
  CHECK(run.last == std::map<std::string, std::uint64_t>{{"a", 7}, {"b", 0}});
  CHECK(run.params == std::set<std::string>{"p"});
  const tests::Folder folder;
  listener.said.clear();
  CHECK(server.put(run, "export/a b.pt", folder.write("f", "bytes")));
  CHECK(listener.said ==
        "PUT /below/api/2.0/mlflow-artifacts/artifacts/1/r/artifacts/export/a%20b.pt bytes\n");
  CHECK(
      !server.put({.id = "r", .artifacts = "s3://x", .last = {}, .params = {}}, "f", folder / "f"));
}

TEST_CASE("an address with a user name is refused without repeating it") {
  recipe::MlflowSink sink;
  sink.url = "http://me:secret@example.org";
  CHECK(refusal_of([&] { MlflowServer server(sink); }) ==
        "the address of the MLflow server holds a user name");
}

TEST_CASE("names have only letters that MLflow takes") {
  CHECK(track::mlflow_key("optimizer.groups.0.lr") == "optimizer.groups.0.lr");
  CHECK(track::mlflow_key("a[0]:\xc3\xa4") == "a_0____");
}

TEST_CASE("artifacts of a run are its recipe and its exports, no links") {
  const tests::Folder folder;
  folder.write("recipe.yaml", "a");
  folder.write("export/model.pt", "b");
  folder.write("secret", "c");
  std::filesystem::create_symlink(folder / "secret", folder / "export/link");
  std::filesystem::create_symlink(folder / "secret", folder / "report.html");
  std::string names;
  for (const auto& [name, file] : track::artifacts_of(folder.path())) names += name + " ";
  CHECK(names == "recipe.yaml export/model.pt ");
}
