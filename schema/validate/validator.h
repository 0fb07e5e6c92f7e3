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

/// One pass over a tree: each function holds a node against a type and gives it back in its final
/// form, or reports what is wrong and gives nothing. validate.cpp has values, lists and
/// dictionaries, validate_blocks.cpp blocks of keys, validate_kinds.cpp those of several kinds.
class Validator {
 public:
  Validator(const Type& root, std::string home, Problems& problems);

  Checked run(const Node& tree);

 private:
  std::optional<Node> check(const Type& type, const Node& node, const Where& where);
  std::optional<Node> value(const Type& type, const Node& node, const Where& where);
  std::optional<Node> automatic_value(const Type& type, const Node& node, const Where& where);
  std::optional<Node> list(const Type& type, const Node& node, const Where& where);
  std::optional<Node> dictionary(const Type& type, const Node& node, const Where& where);
  std::optional<Node> either(const Type& type, const Node& node, const Where& where);
  std::optional<Node> anything(const Node& node, const Where& where);

  std::nullopt_t not_a_block(const Type& type, const Node& node, const Where& where);
  std::optional<Node> kinds(const Type& type, const Node& node, const Where& where);
  void without_kind(const Type& type, const Node& node, const Where& where);
  void with_kind_misspelt(const Type& type, const Node& node, const Where& where,
                          const Entry& slip);
  void check_as_far_as_certain(const Type& type, const std::vector<const Kind*>& kinds,
                               const Node& node, const Where& where);
  void empty_of_unknown_kind(const Type& type, const Entry& entry, const Where& where);
  std::optional<Node> block(const Type& type, const Node& node, const Where& where,
                            std::string_view kind);
  std::optional<Entry> value_of(const Key& key, const Node& node, const Where& where);
  std::optional<Entry> default_of(const Key& key, const Where& here);
  bool may_be_checked(const Key& key, const Entry& entry, const Where& here);
  void unknown(const Entry& entry, const BlockContext& block, const Where& where,
               const Entry* chosen);
  KeyGuess what_is_meant(const Entry& entry, const BlockContext& block, const Where& where,
                         const Entry* chosen);
  const std::vector<Listed>& catalog();
  const std::vector<WrittenBlock>& blocks();
  void missing(const Key& key, const Node& node, const Where& where);

  std::nullopt_t fail(const Where& where, Place place, Fault fault);
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

/// Whether a set says `like: another`.
bool names_another(const Node& set);

/// The keys that a block has.
std::unordered_set<std::string_view> keys_of(const Node& block);

/// A null that a later file or argument wrote over a value takes the key away.
bool is_removal(const Node& value);

}  // namespace knead::schema
