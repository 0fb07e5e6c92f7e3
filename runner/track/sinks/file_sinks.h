#pragma once

#include <memory>

#include "recipe.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Makes a sink that writes files, behind a spool, and cuts its files back to `positions`. A sink
/// that has no numbers yet first receives those that the journals have now, on the thread of the
/// spool. `kind` is resolved and needs no network. Copies what it needs of `about`; `warn` is
/// called on the calling thread only. Throws knead::Error if a file cannot be opened.
std::unique_ptr<Sink> make_file_sink(const recipe::Sink& kind, const About& about,
                                     const Positions& positions, const Warn& warn);

/// Makes the same sink without a spool and without the files that it has written before, for all
/// numbers of a run that has ended: whoever calls it passes them on. Throws knead::Error if a file
/// cannot be opened or removed.
std::unique_ptr<Sink> remake_file_sink(const recipe::Sink& kind, const About& about,
                                       const Warn& warn);

}  // namespace knead::track
