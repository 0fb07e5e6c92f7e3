#pragma once

#include <string>
#include <vector>

#include "runner/front/check/model_files.h"
#include "schema/document/node.h"

namespace knead::front {

/// What an annotation says of the values it stands for: any of several.
struct WantedType {
  enum class Kind {
    anything,  // also what only running the file would tell
    nothing,   // None
    whole,     // int
    number,    // float
    text,      // str
    truth,     // bool
    list,      // list, tuple, Sequence: any number of `item`
    map,       // dict
    record,    // a dataclass, or a class below no other
    one_of     // Literal of texts
  };

  Kind kind = Kind::anything;
  const syntax::Expression* item = nullptr;  // of a list; null: anything
  FoundClass record;
  std::vector<std::string> words;  // of one_of
};

/// The alternatives of an annotation that stands in a file.
std::vector<WantedType> wanted_types(const ModelFiles& files, const syntax::File& file,
                                     const syntax::Expression& annotation);

/// Whether a value of a recipe can be meant by a type. What is in a list or map is not looked at.
bool fits(const WantedType& type, const schema::Node& value);

/// "a whole number, or a list".
std::string in_words(const std::vector<WantedType>& types);

}  // namespace knead::front
