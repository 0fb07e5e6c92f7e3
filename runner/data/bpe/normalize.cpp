#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <utf8proc.h>

#include "runner/data/bpe/bpe.h"
#include "schema/error.h"

namespace knead::data {
namespace {

utf8proc_option_t options_of(NormalForm form) {
  int options = UTF8PROC_STABLE;
  const bool composes = form == NormalForm::nfc || form == NormalForm::nfkc;
  const bool is_compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
  options |= composes ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (is_compatible) options |= UTF8PROC_COMPAT;
  return static_cast<utf8proc_option_t>(options);
}

}  // namespace

std::string normalize(std::string_view text, NormalForm form) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &made, options_of(form));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  if (size < 0) throw Error(fmt::format("a text cannot be normalised: {}", utf8proc_errmsg(size)));
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

}  // namespace knead::data
