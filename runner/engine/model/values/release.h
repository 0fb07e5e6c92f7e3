#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace knead::engine::model {

// Lists can nest as deep as there is memory. The destructor of each would call that of the next,
// and a deep one would overflow the stack. Items gives its members to a queue of the thread
// instead, which destroys them one after the other.

/// Gives a value that is about to be destroyed to the queue, if nothing else holds it.
void bury(std::shared_ptr<void> held);
/// Destroys what is in the queue; does nothing while a call further up does so.
void empty_the_queue();

template <class Object>
void bury(std::shared_ptr<Object>& held) {
  if (held.use_count() == 1) bury(std::shared_ptr<void>(std::move(held)));
}
template <class Name, class Held>
void bury(std::pair<Name, Held>& item) {
  if constexpr (!std::is_same_v<Name, std::string>) bury(item.first);
  bury(item.second);
}

/// A vector whose members may hold further vectors, to any depth.
template <class Item>
class Items : public std::vector<Item> {
 public:
  using std::vector<Item>::vector;
  Items(const Items&) = default;
  Items(Items&&) noexcept = default;
  Items& operator=(const Items&) = default;
  Items& operator=(Items&&) noexcept = default;
  ~Items() {
    if (this->empty()) return;
    for (Item& item : *this) bury(item);
    empty_the_queue();
  }
};

}  // namespace knead::engine::model
