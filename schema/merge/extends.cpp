#include "schema/merge/extends.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/parse.h"
#include "schema/document/regular_file.h"
#include "schema/document/suggest.h"
#include "schema/merge/shorthand.h"

namespace knead::schema {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLevels = 8;  // of files that extend each other
constexpr std::size_t kMostFiles = 64;  // in total: eight levels of lists could name millions

/// Reads a file and the files that it extends. The limits on levels, files and nodes apply to all
/// of them together.
class TreeReader {
 public:
  TreeReader(const Type& type, const Files& files, const Environment& environment,
             Problems& problems)
      : type_(type), files_(files), environment_(environment), problems_(problems) {}

  /// Reads one file with its bases. `below` holds the trees that the file will be merged onto,
  /// besides its own bases.
  std::optional<Node> read(const std::shared_ptr<const Source>& source, Layers below = {}) {
    std::optional<Node> tree = read_one(source);
    if (!tree) return std::nullopt;
    const Entry* written = tree->entry("extends");
    Node bases = written ? written->value : Node{};
    tree->erase("extends");
    if (bases.is_null() && bases.empty) {
      return fail("empty-value", bases, "'extends' has no value",
                  "for example 'extends: [base.yaml]'");
    }
    if (bases.is_null()) {
      expand_shorthand(*tree, type_, below);
      return tree;
    }
    expand_shorthand(bases, *type_of_child(type_, "extends"));
    // A file is in the chain only while its bases are read: two files may share a base.
    chain_.push_back(source->path());
    std::optional<Node> base = read_bases(bases, below);
    chain_.pop_back();
    if (!base) return std::nullopt;
    // Shorthands are written out after the bases are read, because the kind of a block may be
    // written in a base.
    below.insert(below.begin(), &*base);
    expand_shorthand(*tree, type_, below);
    return merged(std::move(*base), std::move(*tree));
  }

 private:
  std::optional<Node> read_one(const std::shared_ptr<const Source>& source) {
    if (nodes_read_ > kMostNodes) return std::nullopt;  // already reported
    if (auto wrong = check_bytes(source)) {
      problems_.push_back(std::move(*wrong));
      return std::nullopt;
    }
    std::optional<Node> tree = parse_yaml(source, problems_);
    if (!tree) return std::nullopt;
    nodes_read_ += count_nodes(*tree);
    if (nodes_read_ > kMostNodes) {
      problems_.push_back(
          {"too-large",
           {source, 0, 1},
           fmt::format("more than {} values in all that is read by 'extends'", kMostNodes),
           ""});
      return std::nullopt;
    }
    if (tree->is_null()) {
      problems_.push_back(
          {"empty-recipe",
           {source, 0, 1},
           "the recipe is empty",
           "begin with 'version: 1'; 'knead schema --format markdown' lists every key"});
      return std::nullopt;
    }
    if (!tree->is_map()) {
      problems_.push_back(
          {"wrong-type", tree->place,
           fmt::format("a recipe is a block of keys, this is {}", kind_in_words(*tree)),
           "begin with 'version: 1'"});
      return std::nullopt;
    }
    return tree;
  }

  /// Merges the bases in order; each sees those before it. Returns std::nullopt if one cannot be
  /// read.
  std::optional<Node> read_bases(const Node& bases, Layers below) {
    Node all;
    all.kind = Node::Kind::map;
    below.insert(below.begin(), &all);
    bool complete = true;
    // All bases are read even if one fails, so that all problems are shown at once.
    for (Node base : bases.items) {
      std::optional<Node> tree = read_base(base, below);
      if (tree) {
        all = merged(std::move(all), std::move(*tree));
      } else {
        complete = false;
      }
    }
    return complete ? std::optional<Node>(std::move(all)) : std::nullopt;
  }

  std::optional<Node> read_base(Node& written, const Layers& below) {
    expand_environment(written, environment_, problems_);
    if (written.broken) return std::nullopt;
    if (written.kind != Node::Kind::text) {
      return fail("wrong-type", written,
                  fmt::format("'extends' takes paths, this is {}", kind_in_words(written)), "");
    }
    const Source& from = *written.place.source;
    const fs::path path = (from.path().parent_path() / written.text).lexically_normal();
    if (std::find(chain_.begin(), chain_.end(), path) != chain_.end()) {
      return fail("extends-cycle", written,
                  fmt::format("'{}' extends itself in the end", written.text), "");
    }
    if (chain_.size() > kMostLevels) {
      return fail("extends-depth", written,
                  fmt::format("more than {} levels of 'extends'", kMostLevels), "");
    }
    if (++files_read_ > kMostFiles) {
      return fail("extends-depth", written,
                  fmt::format("more than {} files by 'extends'", kMostFiles), "");
    }
    if (!files_.exists(path)) {
      const std::string near = nearest_file(written.text, path, files_);
      return fail("missing-file", written, fmt::format("there is no file '{}'", written.text),
                  near.empty() ? "a path is relative to the file that names it" : near);
    }
    try {
      const fs::path shown =
          (fs::path(from.name()).parent_path() / written.text).lexically_normal();
      return read(std::make_shared<Source>(shown.string(), path, files_.read(path)), below);
    } catch (const Error& error) {
      return fail("missing-file", written, fmt::format("'{}' {}", written.text, error.what()),
                  error.remedy());
    }
  }

  std::nullopt_t fail(std::string code, const Node& at, std::string message, std::string hint) {
    problems_.push_back({std::move(code), at.place, std::move(message), std::move(hint)});
    return std::nullopt;
  }

  const Type& type_;
  const Files& files_;
  const Environment& environment_;
  Problems& problems_;
  std::vector<fs::path> chain_;
  std::size_t files_read_ = 0;
  std::size_t nodes_read_ = 0;
};

std::string read_from_disk(const fs::path& path) {
  const OpenedFile opened = open_regular(path.string(), Links::follow);
  if (opened.reason == EISDIR) throw Error("is a folder", "name a recipe file");
  if (opened.reason == kNoRegularFile) throw Error("is a pipe or a device, not a file", "");
  if (opened.reason != 0)
    throw Error(fmt::format("cannot be read: {}", std::strerror(opened.reason)), "");
  const std::unique_ptr<const int, void (*)(const int*)> owner(
      &opened.descriptor, [](const int* descriptor) { ::close(*descriptor); });
  return text_of(opened.descriptor);
}

bool exists_on_disk(const fs::path& path) {
  std::error_code failure;
  return fs::exists(path, failure) && !fs::is_directory(path, failure);
}

/// Lists a folder, at most 1000 names, which is enough for a hint.
std::vector<std::string> names_on_disk(const fs::path& folder) {
  constexpr std::size_t kMost = 1000;
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure), end;
       !failure && it != end && names.size() < kMost; it.increment(failure)) {
    names.push_back(it->path().filename().string());
  }
  return names;
}

}  // namespace

// Reads up to the first part that exceeds kMostBytes; check_bytes() then reports the length.
std::string text_of(int descriptor) {
  std::string text;
  std::array<char, 16 << 10> part;  // clearing 1 MiB takes longer than linting most files
  int failure = 0;
  while (failure == 0 && text.size() <= kMostBytes) {
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count == 0) break;
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) failure = errno;
  }
  if (failure != 0) throw Error(fmt::format("cannot be read: {}", std::strerror(failure)), "");
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte order mark
  return text;
}

std::string nearest_file(const std::string& written, const fs::path& path, const Files& files) {
  const std::vector<std::string> names = files.names(path.parent_path());
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = nearest(path.filename().string(), candidates);
  if (near.empty()) return "";
  if (near == path.filename().string()) return "that is a folder";
  return fmt::format("did you mean '{}'?", (fs::path(written).parent_path() / near).string());
}

Files disk() { return {read_from_disk, exists_on_disk, names_on_disk}; }

std::optional<Node> read_recipe_tree(std::shared_ptr<const Source> main, const Type& type,
                                     const Files& files, const Environment& environment,
                                     Problems& problems) {
  return TreeReader(type, files, environment, problems).read(main);
}

}  // namespace knead::schema
