#include "runner/files/bounded_json.h"

namespace knead::files {
namespace {

using Json = nlohmann::json;

// Bytes that nlohmann-json takes for a value, a container besides, and a key of an object.
constexpr std::uint64_t kValue = 24;
constexpr std::uint64_t kContainer = 64;
constexpr std::uint64_t kKey = 96;

}  // namespace

Json parse_bounded_json(std::string_view text, Budget& budget) {
  const auto count = [&](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::key) budget.hold(kKey + value.get_ref<const std::string&>().size());
    if (event == Event::array_start || event == Event::object_start) {
      budget.expect_depth(static_cast<std::size_t>(depth) + 1);
      budget.hold(kContainer);
    }
    if (event == Event::value)
      budget.hold(kValue + (value.is_string() ? value.get_ref<const std::string&>().size() : 0));
    return true;
  };
  return Json::parse(text, count);
}

}  // namespace knead::files
