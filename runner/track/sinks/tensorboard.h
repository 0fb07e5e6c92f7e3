#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/track/sink.h"

namespace knead::track {

/// The folder of the event files, in the folder of a run. Nothing else is in it.
inline constexpr const char* kTensorBoardFolder = "tensorboard";

/// Returns a sink that writes TensorBoard event files in <folder>/tensorboard: a scalar for each
/// number of a report (train/…) and of an evaluation (SET/METRIC), the recipe as text, and its keys
/// as hyperparameters, with how the run ended. Throws knead::Error if the file cannot be created.
///
/// An event file cannot be cut back at a resume, because TensorBoard may have read it. Instead each
/// start creates a file that sorts behind the others and begins with a restart event, upon which
/// TensorBoard drops the later steps that it has read.
std::unique_ptr<Sink> make_tensorboard(const About& about, Warn warn);

/// Returns an event in the TFRecord format of event files: its length and its bytes, each followed
/// by its masked CRC-32C.
std::string event_record(std::string_view event);

}  // namespace knead::track
