#pragma once

namespace knead::engine {

/// Trains a small model for two steps and evaluates it, for what LibTorch and this program make
/// only once: tables of operators, parsed layers, symbols of libraries. Processes that are forked
/// later find them. Starts no thread, and chooses nothing that a run chooses: start_torch() must
/// not have been called. Leaves no model, and random numbers that each run seeds anew.
void warm_up();

}  // namespace knead::engine
