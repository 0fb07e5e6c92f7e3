#include "runner/data/web/fetch.h"

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include <httplib.h>
#include <catch2/catch.hpp>

#include "runner/data/tar/open_tar.h"
#include "runner/data/web/fetch_recipe.h"
#include "runner/files/sha256.h"
#include "runner/web/address.h"
#include "schema/document/error.h"
#include "tests/data/tar/packed.h"
#include "tests/data/tar/tar_bytes.h"
#include "tests/folder.h"

using namespace knead;
using data::fetch;
using knead::tests::Folder;
using knead::tests::text_of;

namespace {

/// A server on this machine that has one file, and may misbehave.
class Server {
 public:
  Server() {
    for (std::size_t i = 0; i < 300'000; ++i) file.push_back(static_cast<char>(i * i >> 3));
    server_.Get("/data/input.txt",
                [this](const httplib::Request& request, httplib::Response& response) {
                  ++asked;
                  ranges.push_back(request.get_header_value("Range"));
                  serve(response);
                });
    server_.Get("/moved", [](const httplib::Request&, httplib::Response& response) {
      response.set_redirect("/data/input.txt");
    });
    server_.Get("/busy", [this](const httplib::Request&, httplib::Response& response) {
      if (++asked < 3) {
        response.status = 503;
      } else {
        response.set_content(file, "text/plain");
      }
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Server() {
    server_.stop();
    thread_.join();
  }

  std::string url(const std::string& path = "/data/input.txt") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }

  std::string file;
  std::size_t break_after = SIZE_MAX;  // bytes of each answer
  std::vector<std::string> ranges;     // that were asked for
  std::atomic<int> asked{0};

 private:
  void serve(httplib::Response& response) {
    response.set_content_provider(
        file.size(), "text/plain",
        [this, sent = std::size_t{0}](std::size_t at, std::size_t length,
                                      httplib::DataSink& sink) mutable {
          if (sent >= break_after) return false;
          const std::size_t count = std::min<std::size_t>({length, 10'000, break_after - sent});
          sink.write(file.data() + at, count);
          sent += count;
          return true;
        });
  }

  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

std::vector<std::string> said;
const data::Say kSay = [](const std::string& sentence) { said.push_back(sentence); };

std::string refusal(const data::WebFile& file, const std::filesystem::path& cache) {
  try {
    fetch(file, cache, kSay);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A file is fetched once, and is the one that was asked for") {
  Server server;
  const Folder cache;
  const data::WebFile file{server.url(), files::sha256(server.file)};
  said.clear();
  const auto path = fetch(file, cache.path(), kSay);
  CHECK(path == cache / file.sha256 / "input.txt");
  CHECK(text_of(path) == server.file);
  CHECK(said == std::vector<std::string>{"fetching " + server.url() + " (300 kB)"});
  CHECK(fetch(file, cache.path(), kSay) == path);
  CHECK(server.asked == 1);
  CHECK_FALSE(std::filesystem::exists(path.string() + ".partial"));
}

TEST_CASE("What broke off goes on where it stopped") {
  Server server;
  server.break_after = 100'000;
  const Folder cache;
  const auto path = fetch({server.url(), files::sha256(server.file)}, cache.path(), kSay);
  CHECK(text_of(path) == server.file);
  CHECK(server.ranges == std::vector<std::string>{"", "bytes=100000-", "bytes=200000-"});
}

TEST_CASE("What an earlier call left goes on, unless it is no beginning of the file") {
  Server server;
  const Folder cache;
  const std::string sha256 = files::sha256(server.file);
  std::filesystem::create_directories(cache / sha256);
  SECTION("a beginning") {
    tests::write_text(cache / sha256 / "input.txt.partial", server.file.substr(0, 1234));
    CHECK(text_of(fetch({server.url(), sha256}, cache.path(), kSay)) == server.file);
    CHECK(server.ranges == std::vector<std::string>{"bytes=1234-"});
  }
  SECTION("more than there is") {
    tests::write_text(cache / sha256 / "input.txt.partial", server.file + "more");
    CHECK(text_of(fetch({server.url(), sha256}, cache.path(), kSay)) == server.file);
  }
  SECTION("something else") {
    tests::write_text(cache / sha256 / "input.txt.partial", std::string(1000, '?'));
    CHECK(refusal({server.url(), sha256}, cache.path()).find("is another file") !=
          std::string::npos);
    CHECK(text_of(fetch({server.url(), sha256}, cache.path(), kSay)) == server.file);
  }
}

TEST_CASE("Another file is refused, and does not stay") {
  Server server;
  const Folder cache;
  const std::string wanted(64, '0');
  CHECK(refusal({server.url(), wanted}, cache.path()) ==
        server.url() + " is another file than the recipe means: its SHA-256 is " +
            files::sha256(server.file));
  CHECK_FALSE(std::filesystem::exists(cache / wanted / "input.txt"));
  CHECK_FALSE(std::filesystem::exists(cache / wanted / "input.txt.partial"));
}

TEST_CASE("A file that has moved is followed, a busy server asked again") {
  Server server;
  const std::string sha256 = files::sha256(server.file);
  const Folder cache;
  const Folder other;
  CHECK(text_of(fetch({server.url("/moved"), sha256}, cache.path(), kSay)) == server.file);
  server.asked = 0;
  CHECK(text_of(fetch({server.url("/busy"), sha256}, other.path(), kSay)) == server.file);
  CHECK(server.asked == 3);
}

TEST_CASE("Why a file cannot be had is said in words") {
  std::string nobody;
  const Folder cache;
  const std::string sha256(64, '0');
  {
    Server server;
    nobody = server.url();
    CHECK(refusal({server.url("/nothing"), sha256}, cache.path()) ==
          server.url("/nothing") + " cannot be fetched: the server says 404 Not Found");
    CHECK(refusal({"ftp://example.org/a", sha256}, cache.path()) ==
          "'ftp://example.org/a' is no https or http address");
    server.break_after = 0;
    CHECK(refusal({server.url(), sha256}, cache.path()) ==
          server.url() + " cannot be fetched: the connection broke off");
  }
  CHECK(refusal({nobody, sha256}, cache.path()) ==
        nobody + " cannot be fetched: no connection can be made");
}

TEST_CASE("Processes that want the same file fetch it once") {
  Server server;
  const Folder cache;
  const data::WebFile file{server.url(), files::sha256(server.file)};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { fetch(file, cache.path(), [](const std::string&) {}); });
  for (std::thread& thread : threads) thread.join();
  CHECK(server.asked == 1);
}

TEST_CASE("An address has a host, a path and a name") {
  const web::Address address = web::parse_address("https://example.org:8080/a/b.txt?raw=1#top");
  CHECK(address.origin() == "https://example.org:8080");
  CHECK(address.path == "/a/b.txt?raw=1");
  CHECK(address.name == "b.txt");
  CHECK(web::parse_address("http://example.org").path == "/");
  const web::Address asking = web::parse_address("https://example.org?file=a/b.txt#/top");
  CHECK(asking.host == "example.org");
  CHECK(asking.path == "/?file=a/b.txt");
  CHECK(asking.name == "file");
  CHECK(web::parse_address("https://example.org#a/b").host == "example.org");
  CHECK(web::parse_address("http://example.org/").name == "file");
  CHECK(web::parse_address("http://example.org/a/..").name == "file");
}

TEST_CASE("The environment says which proxy to ask") {
  const auto asked = [](const char* url) {
    const web::Proxy proxy = web::proxy_for(web::parse_address(url));
    return proxy.host + ":" + std::to_string(proxy.port);
  };
  setenv("https_proxy", "http://user:word@proxy.example.org:3128/", 1);
  unsetenv("http_proxy");
  unsetenv("HTTP_PROXY");
  setenv("no_proxy", "localhost, .inside.example.org", 1);
  CHECK(asked("https://example.org/a") == "proxy.example.org:3128");
  CHECK(asked("http://example.org/a") == ":0");
  CHECK(asked("https://data.inside.example.org/a") == ":0");
  unsetenv("https_proxy");
  unsetenv("no_proxy");
}

TEST_CASE("A packed archive is fetched as it is, and unpacked") {
  Server server;
  server.file = tests::gzipped(tests::tar({{"a.cls", "1"}, {"b.cls", "2"}}));
  const Folder home;
  ::setenv("KNEAD_HOME", home.path().c_str(), 1);
  recipe::TarField label;
  label.extension = {"cls"};
  recipe::Tar tar;
  tar.url = server.url();
  tar.sha256 = files::sha256(server.file);
  tar.fields = {{"label", label}};
  recipe::Recipe recipe;
  recipe.data.train = tar;
  data::fetch_recipe(recipe, kSay);
  CHECK(data::open_tar(std::get<recipe::Tar>(recipe.data.train))->rows() == 2);
  ::unsetenv("KNEAD_HOME");
}
