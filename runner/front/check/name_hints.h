#pragma once

#include <string>

#include "runner/front/check/own_attributes.h"
#include "runner/syntax/names/unknown_names.h"

namespace knead::front {

/// Returns the remedy for an undefined name; empty if none is known. For `nn` it is the import, for
/// `true` the word of Python, else an attribute or a near name. `reading` is the function that uses
/// the name, and `own` holds the attributes of its object.
std::string hint_for(const syntax::UnknownName& unknown, const syntax::Reading& reading,
                     const OwnAttributes& own);

/// Returns the remedy for an attribute that is never assigned; empty if none is known. `owner` is
/// the class of the object, and `known` holds its attributes.
std::string hint_for_attribute(const std::string& name, const syntax::Class& owner,
                               const OwnAttributes& known);

}  // namespace knead::front
