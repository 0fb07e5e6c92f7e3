#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace knead::weights {

/// A tensor by what can be compared before any of its numbers are read.
struct TensorFacts {
  std::string name;
  std::string dtype;  // a word of safetensors
  std::vector<std::int64_t> shape;
};

/// A tensor of the model, which may have several names.
struct Slot {
  TensorFacts facts;
  std::vector<std::string> other_names;  // tied weights
};

/// One that both have, and that cannot be copied: another shape, or numbers of another sort.
struct Unlike {
  std::size_t slot = 0;
  std::size_t offered = 0;
};

/// How the tensors of a file fit into a model. Numbers are places in the lists that were compared.
struct Fit {
  struct Pair {
    std::size_t slot = 0;
    std::size_t offered = 0;
  };
  std::vector<Pair> pairs;              // to be copied; by slot
  std::vector<std::size_t> missing;     // slots that the file has nothing for
  std::vector<std::size_t> unexpected;  // tensors that the model has no place for
  std::vector<Unlike> unlike;

  bool is_exact() const { return missing.empty() && unexpected.empty() && unlike.empty(); }
};

/// Compares by name; a slot is filled by the first of its names that the file has, and a further
/// one makes a pair as well. Numbers are converted within their sort, as torch's copy_ does: from
/// one floating-point type to another, from one whole-number type to another. `passed_over` are
/// names that may be in the file and are no weights: buffers that are not persistent.
Fit compare(const std::vector<Slot>& slots, const std::vector<TensorFacts>& offered,
            const std::set<std::string>& passed_over);

/// What does not fit, line by line, each kind's first few; and how to go on.
struct Misfit {
  std::string lines;   // "\n  missing  head.weight (10, 64)…"
  std::string remedy;  // a rename that would do it, a name that is near; may be empty
};

Misfit misfit_words(const Fit& fit, const std::vector<Slot>& slots,
                    const std::vector<TensorFacts>& offered);

/// "2 are missing, 1 is not expected, 1 has another shape"; empty for an exact fit.
std::string counts_in_words(const Fit& fit);

}  // namespace knead::weights
