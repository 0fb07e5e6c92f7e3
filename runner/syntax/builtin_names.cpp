#include "runner/syntax/builtin_names.h"

#include <sstream>
#include <string>
#include <unordered_set>

namespace knead::syntax {
namespace {

// An unknown name that surely runs is reported as an error, so a builtin that models use and this
// list lacks makes knead refuse a good file. A name that is here in vain only hides a mistake.
constexpr const char* kNames =
    "ArithmeticError AssertionError AttributeError BaseException DeprecationWarning EOFError "
    "Ellipsis Exception FileExistsError FileNotFoundError FloatingPointError FutureWarning "
    "IOError ImportError IndentationError IndexError KeyError KeyboardInterrupt LookupError "
    "MemoryError ModuleNotFoundError NameError NotImplemented NotImplementedError OSError "
    "OverflowError PermissionError RecursionError ReferenceError RuntimeError RuntimeWarning "
    "StopIteration SyntaxError SystemError SystemExit TimeoutError TypeError "
    "UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning "
    "ZeroDivisionError __annotations__ __builtins__ __class__ __debug__ __doc__ __file__ "
    "__import__ __loader__ __name__ __package__ __spec__ abs all any ascii bin bool "
    "breakpoint bytearray bytes callable chr classmethod compile complex copyright credits "
    "delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr "
    "globals hasattr hash help hex id input int isinstance issubclass iter len license list "
    "locals map max memoryview min next object oct open ord pow print property quit range "
    "repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars "
    "zip __qualname__ __module__ ";

}  // namespace

bool is_builtin(std::string_view name) {
  // The set is built at the first call, because most starts of the program never ask.
  static const auto known = [] {
    std::unordered_set<std::string> names;
    std::istringstream text(kNames);
    for (std::string one; text >> one;) names.insert(one);
    return names;
  }();
  return known.contains(std::string(name));
}

}  // namespace knead::syntax
