#include "runner/sweep/trials/trial.h"

namespace knead::sweep {

std::string_view to_string(TrialState state) {
  switch (state) {
    case TrialState::waiting: return "waiting";
    case TrialState::running: return "running";
    case TrialState::finished: return "finished";
    case TrialState::pruned: return "pruned";
    case TrialState::stopped: return "stopped";
    case TrialState::failed: break;
  }
  return "failed";
}

}  // namespace knead::sweep
