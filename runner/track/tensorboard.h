#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runner/track/sink.h"

namespace knead::track {

/// Event files of TensorBoard in <folder>/tensorboard: a scalar for each number of a report
/// (train/…) and an evaluation (SET/METRIC), the recipe as text, and its keys as hyperparameters.
///
/// An event file cannot be cut back, because TensorBoard has read it already. Each start makes a
/// new one, which sorts behind the others and begins with the event of a restart: TensorBoard then
/// forgets what it read of later steps.
std::unique_ptr<Sink> make_tensorboard(const About& about, Warn warn);

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

/// An event as it stands in a file: length and bytes, each with its masked checksum.
std::string event_record(std::string_view event);

}  // namespace knead::track
