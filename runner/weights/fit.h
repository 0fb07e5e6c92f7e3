#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace knead::weights {

/// Describes a tensor by the properties that are compared before any of its values are read.
struct TensorFacts {
  std::string name;
  std::string dtype;  // a word of safetensors: "F32"
  std::vector<std::int64_t> shape;
};

/// Describes a tensor of the model, which has several names if it is a tied weight. The names of a
/// file are compared with all of them.
struct Slot {
  TensorFacts facts;
  std::vector<std::string> other_names;  // of a tied weight
};

/// Pairs tensors of one name that cannot be copied: their shapes or their kinds of numbers differ.
/// The members are indices as in Fit.
struct Unlike {
  std::size_t slot = 0;
  std::size_t offered = 0;
};

/// Tells how the tensors of a file fit a model. All numbers are indices into the lists passed to
/// compare(): `slot` of `slots`, `offered` of `offered`. A slot may occur in several pairs, if the
/// file has a tied weight under several names.
struct Fit {
  /// Names a tensor of the file and the slot to copy it to.
  struct Pair {
    std::size_t slot = 0;
    std::size_t offered = 0;
  };
  std::vector<Pair> pairs;              // to copy; in the order of the slots
  std::vector<std::size_t> missing;     // slots for which the file has no tensor
  std::vector<std::size_t> unexpected;  // tensors for which the model has no slot
  std::vector<Unlike> unlike;

  /// Returns whether every slot has a tensor and every tensor a slot, so that the file can be
  /// loaded strictly.
  bool is_exact() const { return missing.empty() && unexpected.empty() && unlike.empty(); }
};

/// Compares tensors by name, without reading values. Every name of a slot that the file has makes a
/// pair; the slot is missing if the file has none of its names. Copying converts numbers within
/// their kind, as torch's copy_ does: one floating-point type to another, one integer type to
/// another. `offered`: tensors of the file, after renaming; their names are distinct.
/// `passed_over`: names that the file may have although they are not weights, such as buffers that
/// are not persistent. Pure.
Fit compare(const std::vector<Slot>& slots, const std::vector<TensorFacts>& offered,
            const std::set<std::string>& passed_over);

/// Describes a misfit to a person: the first eight tensors of each kind, and a remedy.
struct Misfit {
  std::string lines;   // "\n  missing  head.weight (10, 64)…"
  std::string remedy;  // a rename rule that would help; may be empty
};

/// Describes what does not fit; suggests a name of the file for a missing tensor if the two are
/// similar. If many names differ by a prefix, as "module." before each, it suggests a rename rule
/// instead. The lists are those of compare().
Misfit misfit_words(const Fit& fit, const std::vector<Slot>& slots,
                    const std::vector<TensorFacts>& offered);

/// Returns the counts of a misfit, "2 are missing, 1 is not expected, 1 is of another shape or
/// type"; an empty string for an exact fit.
std::string counts_in_words(const Fit& fit);

}  // namespace knead::weights
