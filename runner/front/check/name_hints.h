#pragma once

#include <string>

#include "runner/front/check/own_attributes.h"
#include "runner/syntax/unknown_names.h"

namespace knead::front {

/// What to do about a name that nothing gives a value to. `own`: what the object of a method has.
std::string hint_for(const syntax::UnknownName& unknown, const syntax::Reading& reading,
                     const OwnAttributes& own);

/// What to do about an attribute that nothing assigns.
std::string hint_for_attribute(const std::string& name, const syntax::Class& owner,
                               const OwnAttributes& known);

}  // namespace knead::front
