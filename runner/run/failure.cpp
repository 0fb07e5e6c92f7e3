#include "runner/run/failure.h"

#include <string>
#include <string_view>

#include "runner/run/end_state.h"
#include "runner/run/names.h"
#include "schema/document/error.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::run {

void keep_failure(RunFolder& folder, track::Log& log, std::uint64_t step,
                  const std::exception& failure) {
  const auto* known = dynamic_cast<const Error*>(&failure);
  const std::string text = complaint(failure.what(), known ? known->remedy() : "");
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    log.write(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  constexpr std::size_t kMostBytes = 1000;
  try {
    folder.write(kEndFile,
                 to_text({step, std::nullopt, {}, schema::shortened(failure.what(), kMostBytes)}));
  } catch (const std::exception&) {
    // The disk may be full, which may be the failure.
  }
}

}  // namespace knead::run
