#include <fmt/format.h>

#include "runner/peers/aspects.h"
#include "runner/peers/translate.h"
#include "runner/peers/words.h"

namespace knead::peers {
namespace {

/// Opens the line that another line needs to have an effect.
void open_beside(Draft& draft, std::string_view path) {
  const bool is_of_schedule = path.starts_with("schedule.") && !draft.has("schedule.type");
  if (is_of_schedule) draft.leave_open("schedule.type", "linear, cosine, constant, …");
  if (path == "evaluate.every" && !draft.has("data.validation"))
    draft.leave_open("data.validation", "such as {like: train, hold_out: 10%}");
}

/// Returns the known key that an unknown one is a misspelling of, if it has this aspect.
std::string name_for(const Peer& peer, const Item& item, const Aspect& aspect) {
  const std::string near = nearest_name(peer, item.path);
  const std::optional<Part> part = part_of(peer, near);
  return part && aspect_of(*part) == &aspect ? near : "";
}

}  // namespace

void translate_unplaced(Translation& in) {
  for (const Aspect& aspect : aspects()) {
    const std::vector<Item*> items = in.theirs.unplaced(aspect);
    if (items.empty()) continue;
    open_beside(in.draft, aspect.path);
    Setting& line = in.draft.open(std::string(aspect.path), std::string(aspect.what));
    for (Item* item : items) {
      // A key with two aspects is listed at the line of the first one only.
      if (item->fate == Fate::open) line.of(item);
      const std::string name = name_for(in.theirs.peer(), *item, aspect);
      if (!name.empty()) line.noted(fmt::format("their key for it is {}", name));
    }
  }
}

}  // namespace knead::peers
