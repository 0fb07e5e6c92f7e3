#pragma once

#include <memory>

#include "schema/document/node.h"

namespace knead::schema {

/// What surrounds a null.
struct NullContext {
  Place key;            // the key it is the value of, if it is one
  bool is_key = false;  // it stands where a key is due
  bool in_flow = false;
  std::size_t after = 0;  // end of the last token before it
};

/// A null that yaml-cpp reports at byte `mark`: the mark of the word where one is written, else
/// that of whatever comes next. An empty value is placed at its key, an empty item at its dash.
Node null_node(const std::shared_ptr<const Source>& source, std::size_t mark,
               const NullContext& context);

/// Whether the key of an empty value is not followed by a ':' at all, which yaml-cpp accepts in a
/// block.
bool lacks_colon(const Node& null, const NullContext& context);

/// Whether an empty value is the end of its key: `{lr:1e-3}` is one key to YAML.
bool lacks_space(const Node& null, const NullContext& context);

}  // namespace knead::schema
