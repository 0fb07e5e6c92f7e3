#pragma once

#include <string>
#include <vector>

namespace knead::run {

/// Returns overrides for the resolved recipe that a run's folder keeps, `overrides` among them, by
/// which it needs no secret: what tells others of a run is left out, so that its weights can be
/// used where nobody has set tokens and addresses. Overrides of those keys by the user count.
std::vector<std::string> without_secrets(const std::vector<std::string>& overrides);

}  // namespace knead::run
