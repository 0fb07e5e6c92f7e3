#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/table/catalog.h"
#include "schema/validate/findings.h"
#include "schema/validate/unknown_key.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// Checks one tree against a schema. Each function that takes a Type and a Node returns the node in
/// its final form, or reports a problem and returns std::nullopt. validate.cpp has values, lists
/// and dictionaries, validate_blocks.cpp has blocks, validate_kinds.cpp has blocks with kinds.
///
/// The schema and the problems must outlive the object, the tree must outlive run(). The recursion
/// follows the tree, so the limits of the parser bound it.
class Validator {
 public:
  Validator(const Type& root, std::string home, Problems& problems);

  /// Checks the tree from its root. Called once per Validator.
  Checked run(const Node& tree);

 private:
  /// Checks a value of any shape.
  std::optional<Node> check(const Type& type, const Node& node, const Where& where);
  /// Checks a scalar.
  std::optional<Node> value(const Type& type, const Node& node, const Where& where);
  /// Checks a value whose key also takes 'auto', which the message then mentions. The caller has
  /// handled 'auto' itself.
  std::optional<Node> automatic_value(const Type& type, const Node& node, const Where& where);
  /// Checks a list and its length. Wrong items are left out, and then the length is not judged.
  std::optional<Node> list(const Type& type, const Node& node, const Where& where);
  /// Checks the names and values of a dictionary. A name is an identifier, unless any value is
  /// allowed. A null that removes a name of a base leaves it out.
  std::optional<Node> dictionary(const Type& type, const Node& node, const Where& where);
  /// Checks a value against the first alternative that has its YAML kind.
  std::optional<Node> either(const Type& type, const Node& node, const Where& where);
  /// Accepts every value, except those that the parser reported.
  std::optional<Node> anything(const Node& node, const Where& where);

  /// Reports a value that must be a block, with the key's example, if there is one, as the hint.
  std::nullopt_t not_a_block(const Type& type, const Node& node, const Where& where);
  /// Checks a block whose `type` selects its kind.
  std::optional<Node> kinds(const Type& type, const Node& node, const Where& where);
  /// Reports a block without `type`, and checks those keys whose type does not depend on the kind.
  void without_kind(const Type& type, const Node& node, const Where& where);
  /// Reports `slip` as a misspelt `type`, and checks the block as that kind.
  void with_kind_misspelt(const Type& type, const Node& node, const Where& where,
                          const Entry& slip);
  /// Checks the keys that have the same type in all `kinds`.
  void check_as_far_as_certain(const Type& type, const std::vector<const Kind*>& kinds,
                               const Node& node, const Where& where);
  /// Reports a key without a value in a block of unknown kind.
  void empty_of_unknown_kind(const Type& type, const Entry& entry, const Where& where);
  /// Checks the keys of a block; `kind` is empty if its type has no kinds. The result has the keys
  /// in the schema's order. A wrong key is left out, and does not make the block fail.
  std::optional<Node> block(const Type& type, const Node& node, const Where& where,
                            std::string_view kind);
  /// Checks one key of a block and returns its value or default, or std::nullopt if it has none.
  std::optional<Entry> value_of(const Key& key, const Node& node, const Where& where);
  /// Returns the constant default of a key that is not written, if it has one.
  std::optional<Entry> default_of(const Key& key, const Where& here);
  /// Reads the constant default of a key that has one.
  std::optional<Entry> make_default(const Key& key, const Where& here);
  /// Reports deprecated keys and written secrets. Returns false if the value must not be read,
  /// which is a secret that the text itself holds.
  bool may_be_checked(const Key& key, const Entry& entry, const Where& here);
  /// Reports an unknown key.
  void unknown(const Entry& entry, const BlockContext& block, const Where& where,
               const Entry* chosen);
  /// Returns the hint for an unknown key, and the keys that it makes doubtful. Without a guess
  /// these are all keys of the block that are not written.
  KeyGuess what_is_meant(const Entry& entry, const BlockContext& block, const Where& where,
                         const Entry* chosen);
  /// Returns every key of the schema, listed on the first call.
  const std::vector<Listed>& catalog();
  /// Returns the blocks of the recipe, collected on the first call.
  const std::vector<WrittenBlock>& blocks();
  /// Reports a required key that is absent or null. A set with `like` is not reported: the other
  /// set lacks the key, too.
  void missing(const Key& key, const Node& node, const Where& where);

  /// Reports a problem at `place`.
  std::nullopt_t fail(const Where& where, Place place, Fault fault);
  /// Reports a problem at the place of `node`.
  std::nullopt_t fail_at(const Where& where, const Node& node, Fault fault);

  const Type& root_;
  const Node* tree_ = nullptr;
  std::optional<std::vector<Listed>> catalog_;
  std::optional<std::vector<WrittenBlock>> blocks_;
  std::string home_;
  std::size_t unknown_keys_ = 0;
  std::map<std::string, Place, std::less<>> removed_;
  Findings findings_;
};

/// Returns whether a data set has `like: other`. A null does not count.
bool names_another(const Node& set);

/// Returns the keys of a block; the views refer to `block`.
std::unordered_set<std::string_view> keys_of(const Node& block);

/// Returns whether a value is a null that a later file or argument wrote over another value, which
/// removes the key.
bool is_removal(const Node& value);

}  // namespace knead::schema
