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

/// Limits the steps from class to base that are followed, because bases may form a circle.
inline constexpr int kMostAncestors = 64;

/// Refers to a class and the file that defines it. Both belong to the ModelFiles that returned it.
/// Both pointers are null if there is no class.
struct FoundClass {
  const syntax::File* file = nullptr;
  const syntax::Class* definition = nullptr;
};

/// Describes the meaning of a name at the top level of a file: a class, nothing (the file does not
/// bind the name), or uncertain (only running the file would show it).
struct Meaning {
  enum class Kind { a_class, nothing, uncertain };
  Kind kind = Kind::uncertain;
  FoundClass found;  // of a_class
};

/// Holds the parsed source of a model and of the files beside it that it imports, directly or
/// through each other. Nothing is run: what a name means follows from the text alone. Modules that
/// the engine provides (torch, math, typing …) are not read, even if a file beside the model has
/// their name. References to the syntax trees are valid as long as the object.
class ModelFiles {
 public:
  /// Reads and parses the files. `path` is the main file; `name` is its name in messages, whose
  /// folder stands before the names of the others. Borrows `files`. Throws syntax::Refusal if a
  /// file does not parse, and knead::Error if one cannot be read.
  ModelFiles(const schema::Files& files, const std::filesystem::path& path,
             const std::string& name);

  /// Returns the file that the recipe names.
  const syntax::File& main() const { return *files_.at(main_); }

  /// Returns the meaning of a name at the top level of one of the files; follows imports, also
  /// `from … import *`. A name that is bound more than once is uncertain, and a dotted
  /// name is never a class.
  Meaning meaning(const syntax::File& file, std::string_view name) const;

  /// Returns whether the folder of the main file or one above it has a file or a folder of this
  /// name, from which a module may be imported.
  bool may_have(const std::string& module) const;

 private:
  /// The pairs of file and name that the search has visited, to detect circular imports.
  using Path = std::set<std::pair<const syntax::File*, std::string>>;

  /// Reads and parses a file and the files that it imports, unless it was read before.
  void read(const std::filesystem::path& path, const std::string& name);
  void read_imports(const syntax::File& file);

  /// Returns the file of a module beside the main file; null if there is none.
  const syntax::File* imported(const std::string& module) const;
  Meaning meaning(const syntax::File& file, std::string_view name, Path& path) const;
  Meaning meaning_by_import(const syntax::Import& import, std::string_view name, Path& path) const;
  Meaning meaning_by_star(const syntax::File& file, std::string_view name, Path& path) const;

  const schema::Files& seam_;   // reads files
  std::filesystem::path main_;  // path of the main file
  std::string shown_folder_;    // its folder as messages name it
  std::map<std::filesystem::path, std::shared_ptr<const syntax::File>> files_;
};

}  // namespace knead::front
