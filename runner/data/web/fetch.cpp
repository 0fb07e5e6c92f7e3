#include "runner/data/web/fetch.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

#include "runner/files/sha256.h"
#include "runner/web/client.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::data {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 5;  // attempts in a row without any new byte
constexpr std::chrono::seconds kConnect{20};
constexpr std::chrono::seconds kSilence{60};  // without a byte, until an attempt fails

/// Appends received bytes to a file, which survives an interrupted transfer.
class Partial {
 public:
  explicit Partial(fs::path path) : path_(std::move(path)) { open("ab"); }

  std::uint64_t size() const { return size_; }
  const fs::path& path() const { return path_; }

  void add(const char* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, file_.get()) != count || std::fflush(file_.get()) != 0)
      refuse();
    size_ += count;
  }

  void start_over() { open("wb"); }
  void close() { file_.reset(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void open(const char* mode) {
    file_.reset();
    file_.reset(std::fopen(path_.c_str(), mode));
    if (!file_) refuse();
    size_ = fs::file_size(path_);
  }

  [[noreturn]] void refuse() const {
    throw Error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)),
                "KNEAD_HOME names another folder for what is fetched");
  }

  fs::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

/// Describes the result of an attempt.
struct Outcome {
  bool is_whole = false;
  bool can_be_tried_again = true;
  std::string problem;
};

httplib::Client fetching_client(const web::Address& address) {
  httplib::Client client = web::client_for(address, kConnect, kSilence);
  client.set_follow_location(true);
  client.set_decompress(false);  // the SHA-256 is that of the bytes as served
  return client;
}

/// Requests the bytes that a partial file lacks and appends them.
class Receiver {
 public:
  Receiver(Partial& partial, const std::string& url, const Say& say)
      : partial_(partial), url_(url), say_(say) {}

  Outcome receive(const web::Address& address) {
    httplib::Client client = fetching_client(address);
    httplib::Headers headers{{"Accept-Encoding", "identity"}, {"User-Agent", "knead"}};
    if (partial_.size() > 0) headers.emplace("Range", fmt::format("bytes={}-", partial_.size()));
    const httplib::Result result = client.Get(
        address.path, headers,
        [this](const httplib::Response& response) { return begin(response); },
        [this](const char* bytes, std::size_t count) {
          partial_.add(bytes, count);
          return true;
        });
    if (!refusal_.problem.empty()) return refusal_;
    if (!result) return {false, true, web::in_words(result.error())};
    if (result->status == 200 || result->status == 206) return {true, true, ""};
    return refused(result->status, result->reason);
  }

 private:
  static Outcome refused(int status, const std::string& reason) {
    // A timeout, too many requests or a fault of the server may pass; other failures will not.
    const bool may_pass = status == 408 || status == 429 || status >= 500;
    return {false, may_pass, fmt::format("the server says {} {}", status, reason)};
  }

  bool begin(const httplib::Response& response) {
    if (response.status == 416) {  // the range begins beyond the end of the served file
      partial_.start_over();
      refusal_ = {false, true, "the server has another file than before"};
    } else if (response.status != 200 && response.status != 206) {
      refusal_ = refused(response.status, response.reason);
    }
    if (!refusal_.problem.empty()) return false;
    // The server ignored the range and sends the whole file.
    if (response.status == 200 && partial_.size() > 0) partial_.start_over();
    const auto length = response.get_header_value<std::uint64_t>("Content-Length");
    const std::string size =
        length > 0 ? fmt::format(" ({})", schema::byte_words(static_cast<double>(length))) : "";
    say_(fmt::format("fetching {}{}{}", partial_.size() > 0 ? "the rest of " : "", url_, size));
    return true;
  }

  Partial& partial_;
  const std::string& url_;
  const Say& say_;
  Outcome refusal_;
};

/// Repeats attempts until the file is complete, for as long as new bytes arrive.
void receive_all(const WebFile& file, Partial& partial, const Say& say) {
  const web::Address address = web::parse_address(file.url);
  int tries = 0;
  for (;;) {
    const std::uint64_t before = partial.size();
    const Outcome outcome = Receiver(partial, file.url, say).receive(address);
    if (outcome.is_whole) return;
    tries = partial.size() > before ? 1 : tries + 1;
    if (tries == kTries - 1) partial.start_over();  // the bytes received so far may be the cause
    if (!outcome.can_be_tried_again || tries >= kTries) {
      throw Error(fmt::format("{} cannot be fetched: {}", file.url, outcome.problem),
                  "try it again, or fetch the file yourself and name it by 'path'; behind a proxy, "
                  "https_proxy says which");
    }
    // Waits 0.2 to 1.6 seconds, twice as long after each failure, so that a busy server recovers.
    std::this_thread::sleep_for(std::chrono::milliseconds(100 << tries));
  }
}

void publish(const WebFile& file, Partial& partial, const fs::path& path) {
  partial.close();
  // The digest is computed from the disk and not while receiving, since earlier calls may have
  // received a part.
  const std::string found = files::sha256_of_file(partial.path());
  if (found == file.sha256) return fs::rename(partial.path(), path);
  fs::remove(partial.path());
  throw Error(
      fmt::format("{} is another file than the recipe means: its SHA-256 is {}", file.url, found),
      "look at what changed; if the new file is meant, write its SHA-256 in the recipe");
}

}  // namespace

fs::path web_cache() { return cache_folder("web", "fetched"); }

fs::path place_of(const WebFile& file, const fs::path& cache) {
  return cache / file.sha256 / web::parse_address(file.url).name;
}

fs::path fetch(const WebFile& file, const fs::path& cache, const Say& say) {
  const fs::path path = place_of(file, cache);
  const fs::path folder = path.parent_path();
  if (schema::is_there(path)) return path;
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(fmt::format("cannot make {}: {}", folder.string(), failure.message()),
                "KNEAD_HOME names another folder for what is fetched");
  const files::Lock lock = lock_cache(folder, say);
  if (schema::is_there(path)) return path;  // another process has fetched it meanwhile
  Partial partial(path.string() + ".partial");
  receive_all(file, partial, say);
  publish(file, partial, path);
  return path;
}

}  // namespace knead::data
