#include "runner/front/line/terminal.h"

#include "runner/track/terminal.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::front {

bool wants_colour(int stream) { return track::is_live(stream); }

void print_lines(const std::string& text) { print(schema::shown_lines(text, wants_colour(1))); }

}  // namespace knead::front
