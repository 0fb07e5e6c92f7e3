#include "runner/front/engine.h"
#include "runner/front/verb.h"

namespace knead::front {

Exit plan(const Arguments& arguments) {
  const launch::HeldSignals signals;
  return run_engine(words_for_engine("plan", arguments), signals);
}

}  // namespace knead::front
