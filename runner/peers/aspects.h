#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runner/peers/peer.h"

namespace knead::peers {

/// One line of a recipe and the names that trainers use for it. An unknown key with such a name
/// probably means this line: the trainer's default for the line is then not assumed, and
/// translate_unplaced() leaves the line open. All views have static lifetime.
struct Aspect {
  /// Dotted path of the recipe's line: "optimizer.lr". Two aspects may share a path, as batch.size
  /// does for the size of a micro-batch and for accumulation.
  std::string_view path;
  /// Describes the value that the user has to fill in: "such as 3 epochs". It becomes the comment
  /// of the line.
  std::string_view what;
  /// The parts that the line is translated from. If a key for one of them is written, unknown keys
  /// with this aspect are ignored.
  std::span<const Part> parts;
  /// Names of keys as schema::folded() writes them ("learningrate"), separated by blanks. If a name
  /// stands in two aspects, the first aspect has it.
  std::string_view names;
};

/// Returns all aspects in the order in which their lines are opened. The span has static lifetime.
std::span<const Aspect> aspects();

/// Returns the aspect that the last name of a dotted key stands for, or the name before it if the
/// last one is a word such as `type`, `name` or `_target_`. Case, '_' and '-' do not count:
/// "trainer.max_epochs" and "maxEpochs" name train.until. Returns null if there is none. Pointers
/// have static lifetime.
const Aspect* aspect_named(std::string_view path);

/// Returns the first aspect that a part belongs to, or null if no line of a recipe can be guessed
/// from it.
const Aspect* aspect_of(Part part);

}  // namespace knead::peers
