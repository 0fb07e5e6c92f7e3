#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "runner/syntax/tree.h"
#include "schema/merge/extends.h"

namespace knead::front {

/// How many steps from class to base are followed: more is a circle.
inline constexpr int kMostAncestors = 64;

/// A class and the file that it stands in.
struct FoundClass {
  const syntax::File* file = nullptr;
  const syntax::Class* definition = nullptr;
};

/// What a name stands for at the top of a file: a class, nothing at all, or something that only
/// running the file would tell.
struct Meaning {
  enum class Kind { a_class, nothing, uncertain };
  Kind kind = Kind::uncertain;
  FoundClass found;
};

/// A model's source and the files beside it that it imports, all parsed.
class ModelFiles {
 public:
  /// `name` is what messages call the file. Throws syntax::Refusal where one of the files does not
  /// parse, and knead::Error where one cannot be read.
  ModelFiles(const schema::Files& files, const std::filesystem::path& path,
             const std::string& name);

  const syntax::File& main() const { return *files_.at(main_); }

  Meaning meaning(const syntax::File& file, std::string_view name) const;

 private:
  /// The files, with the names looked for in them, on the way from one name to what it stands for.
  using Path = std::set<std::pair<const syntax::File*, std::string>>;

  void read(const std::filesystem::path& path, const std::string& name);
  void read_imports(const syntax::File& file);
  const syntax::File* imported(const std::string& module) const;
  Meaning meaning(const syntax::File& file, std::string_view name, Path& path) const;
  Meaning meaning_by_import(const syntax::Import& import, std::string_view name, Path& path) const;
  Meaning meaning_by_star(const syntax::File& file, std::string_view name, Path& path) const;

  const schema::Files& seam_;
  std::filesystem::path main_;
  std::string shown_folder_;
  std::map<std::filesystem::path, std::shared_ptr<const syntax::File>> files_;
};

}  // namespace knead::front
