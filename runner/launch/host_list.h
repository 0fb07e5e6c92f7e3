#pragma once

#include <string>
#include <string_view>

namespace knead::launch {

// Slurm's short forms of lists, as in SLURM_STEP_NODELIST and SLURM_STEP_TASKS_PER_NODE.

/// Returns the first host of a list: "n01" of "n[01-03,7],m2". Empty for an empty or torn list.
/// Pure.
std::string first_host(std::string_view list);

/// Returns the number of tasks on a node, which counts from 0: 2 on the nodes 0 to 2 of "2(x3),1",
/// and 1 on node 3. 0 for another text, or a node that the list does not have. Pure.
int tasks_on_node(std::string_view list, int node);

}  // namespace knead::launch
