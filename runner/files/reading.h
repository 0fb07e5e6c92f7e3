#pragma once

#include <string>
#include <string_view>

namespace knead::files {

/// Limits the bytes of the name that Reading leaves for the launcher.
inline constexpr std::size_t kMostOfReading = 512;

/// Tells the launcher, during its lifetime, which file this process reads. A library that crashes
/// on a damaged file ends the process, and the launcher can still name the file: it stands in the
/// last bytes of the file in memory that the environment variable KNEAD_STEPS names. Does nothing
/// where another launcher has started the process. Instances may nest; all must be on one thread.
class Reading {
 public:
  explicit Reading(std::string_view name);
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  std::string before_;  // the name of the instance around this one
};

}  // namespace knead::files
