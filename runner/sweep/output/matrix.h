#pragma once

#include <cstdint>
#include <string>

namespace knead::sweep {

/// Returns the matrix of a GitHub workflow with a job for each shard, one line of JSON:
/// {"include":[{"shard":"1/2"},{"shard":"2/2"}]}. Throws knead::Error if the number of shards is
/// below 1 or above 256, which is as many jobs as GitHub makes of a matrix.
std::string matrix_text(std::int64_t shards);

}  // namespace knead::sweep
