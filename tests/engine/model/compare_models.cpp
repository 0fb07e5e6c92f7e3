// compare_models SOURCE FIXTURE…: says of each pair, a line each, what differs between what knead
// makes of the source and what tools/record_forward recorded here, to the last bit, or that they
// are equal. The exit status is 1 if anything differs, or was recorded on another processor.

#include <iostream>
#include <string>

#include "runner/engine/device/start.h"
#include "runner/syntax/refusal.h"
#include "tests/engine/model/compare_forward.h"
#include "tests/engine/model/recorded_models.h"
#include "tests/engine/processor_probe.h"

namespace {

using namespace knead::engine;

std::string compared(const std::string& source, const std::string& fixture) {
  const nlohmann::json recorded = read_fixture(fixture);
  if (!computes_alike(recorded["processor"])) return "recorded on another processor";
  try {
    return model::forward_difference(
        [&] { return model::build_recorded(source, recorded, model::build_source); }, recorded);
  } catch (const knead::syntax::Refusal& refusal) {
    return knead::syntax::to_text(refusal);
  }
}

}  // namespace

int main(int count, char** arguments) {
  start_torch({});
  int status = 0;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string found = compared(arguments[i], arguments[i + 1]);
    std::cout << arguments[i] << ": " << (found.empty() ? "equal" : found) << std::endl;
    if (!found.empty()) status = 1;
  }
  return status;
}
