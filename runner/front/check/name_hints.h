#pragma once

#include <string>

#include "runner/front/check/own_attributes.h"
#include "runner/syntax/unknown_names.h"

namespace knead::front {

/// Returns the remedy for an undefined name; empty if none is known. `own` holds the attributes of
/// the method's object.
std::string hint_for(const syntax::UnknownName& unknown, const syntax::Reading& reading,
                     const OwnAttributes& own);

/// Returns the remedy for an attribute that is never assigned; empty if none is known. `known`
/// holds the attributes of `owner`.
std::string hint_for_attribute(const std::string& name, const syntax::Class& owner,
                               const OwnAttributes& known);

}  // namespace knead::front
