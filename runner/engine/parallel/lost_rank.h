#pragma once

#include "schema/document/error.h"

namespace knead::engine::parallel {

/// Returns the error of a rank that has waited `timeout` seconds for the others (Exit::rank_lost).
Error waited_too_long(int rank, double timeout);

/// Returns the error of a rank whose connection to another has ended (Exit::lost_another).
Error lost_connection(int rank);

}  // namespace knead::engine::parallel
