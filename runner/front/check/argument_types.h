#pragma once

#include <string>
#include <vector>

#include "runner/front/check/model_files.h"
#include "schema/document/node.h"

namespace knead::front {

/// Describes one alternative of a type annotation in a model's file.
struct WantedType {
  enum class Kind {
    anything,  // also a type that is known only when the file is run
    nothing,   // None
    whole,     // int
    number,    // float
    text,      // str
    truth,     // bool
    list,      // list, tuple, Sequence: any number of `item`
    map,       // dict
    record,    // a dataclass, or a class without bases
    one_of     // Literal of strings
  };

  Kind kind = Kind::anything;
  /// Annotation of a list's items; null if they may be anything.
  const syntax::Expression* item = nullptr;
  /// The class of a record; null pointers for other kinds.
  FoundClass record;
  std::vector<std::string> words;  // the strings of one_of
};

/// Returns the alternatives of an annotation in `file`: `Optional[int]` and `int | None` have two.
/// A name that a file of the model binds to something of its own gives a record or `anything`.
/// Pointers in the result refer to the syntax trees of `files`.
std::vector<WantedType> wanted_types(const ModelFiles& files, const syntax::File& file,
                                     const syntax::Expression& annotation);

/// Returns whether a value of a recipe may be of a type. Follows Python where it is lenient: true
/// is an int, and a whole number a float. Does not check the items of lists and maps.
bool fits(const WantedType& type, const schema::Node& value);

/// Returns the types for a message: "a whole number or a list".
std::string in_words(const std::vector<WantedType>& types);

}  // namespace knead::front
