#pragma once

#include <string>

namespace knead::engine::model::einops {

/// Joins items and lists to one list expression of source: `[a, b] + rest + [c]`.
class ListText {
 public:
  void add_item(const std::string& item) { items_ += (items_.empty() ? "" : ", ") + item; }
  void add_list(const std::string& list) {
    close();
    join(list);
  }
  std::string text() {
    close();
    return text_.empty() ? "[]" : text_;
  }

 private:
  void close() {
    if (!items_.empty()) join("[" + items_ + "]");
    items_.clear();
  }
  void join(const std::string& list) { text_ += (text_.empty() ? "" : " + ") + list; }

  std::string items_, text_;
};

}  // namespace knead::engine::model::einops
