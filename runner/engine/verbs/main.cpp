// knead-engine VERB FILE key=value …: runs one rank. knead starts it after it has checked the
// recipe.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "runner/engine/model/explain/machine_failure.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/serve.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/syntax/refusal.h"
#include "schema/document/error.h"
#include "schema/document/problem_text.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {
namespace {

Exit dispatch(const Call& call) {
  if (call.verb == "run") return run(call);
  if (call.verb == "plan") return plan_run(call);
  if (call.verb == "bench") return bench_run(call);
  if (call.verb == "export") return export_run(call);
  if (call.verb == "evaluate") return evaluate_run(call);
  if (call.verb == "predict") return predict_run(call);
  if (call.verb == "generate") return generate_run(call);
  if (call.verb == "track") return track_run(call);
  if (call.verb == "notify") return notify();
  if (call.verb == "env") return env();
  throw Error(fmt::format("there is no verb '{}'", call.verb),
              "knead-engine is started by knead: 'knead help'", Exit::invalid_recipe);
}

/// Runs `work` and returns its exit code. Prints what it throws.
template <class Work>
Exit guarded(const Work& work) {
  try {
    return work();
  } catch (const schema::InvalidRecipe& invalid) {
    std::fputs(schema::to_text(invalid.problems()).c_str(), stderr);
    return Exit::invalid_recipe;
  } catch (const syntax::Refusal& refusal) {
    std::fputs(syntax::to_text(refusal).c_str(), stderr);
    return refusal.code();
  } catch (const Error& error) {
    if (error.code() != Exit::lost_another) return complain_of(error);
    // knead, which has started the ranks, says what became of the other one.
    if (std::getenv("KNEAD_STEPS")) return Exit::lost_another;
    complain_of(error);
    return Exit::rank_lost;
  } catch (const std::exception& error) {
    return complain_of(error);
  }
}

int run_verb(const std::vector<std::string>& words) {
  Call call;
  const Exit end = guarded([&] {
    const bool is_server = !words.empty() && words[0] == "serve";
    call = is_server ? serve(words) : read_call(words);
    Exit code = Exit::internal_error;
    model::with_machine_failures_told([&] { code = dispatch(call); });
    return code;
  });
  tell_end(call, end == Exit::lost_another ? Exit::rank_lost : end);
  return static_cast<int>(end);
}

}  // namespace
}  // namespace knead::engine

int main(int argc, char** argv) {
  // A pipe that nobody reads, and a file that exceeds `ulimit -f`, are errors of a write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  knead::engine::model::tell_failed_gpu_on_terminate();
  const int code = knead::engine::run_verb({argv + 1, argv + argc});
  // Skips static destructors: LibTorch would free its operator tables entry by entry, and the
  // system frees them at once.
  std::fflush(nullptr);
  std::_Exit(code);
}
