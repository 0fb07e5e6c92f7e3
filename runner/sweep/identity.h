#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "schema/document/node.h"
#include "schema/variations.h"

namespace knead::sweep {

/// Computes the ids of trials. May be used by several threads at once.
class Identity {
 public:
  /// Returns the id of a trial: 16 hexadecimal digits of the digest of all that determines its
  /// result. That is the trajectory of its recipe (schema/trajectory.h: no names, no free keys, no
  /// paths), its length and early stopping, the values of free keys that are swept, and the content
  /// of the files that its paths name. The id is therefore the same on every machine, in every
  /// folder, in every order, and changes with the model's source and the data. `recipe` is a tree
  /// as load() returns it.
  ///
  /// Of a large file 16 blocks are read (files/sample_digest.h); of a folder the names and sizes in
  /// it. A file that is not there has no content: the trial itself says so when it begins.
  std::string id_of(const schema::Node& recipe, std::span<const schema::Assignment> assignments);

 private:
  /// Returns a text that identifies the content behind a path or pattern; looks at it once.
  std::string content_of(const std::string& path);

  std::mutex mutex_;
  std::map<std::string, std::string> contents_;
};

}  // namespace knead::sweep
