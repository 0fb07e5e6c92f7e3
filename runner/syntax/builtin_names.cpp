#include "runner/syntax/builtin_names.h"

#include <sstream>
#include <string>
#include <unordered_set>

namespace knead::syntax {
namespace {

// An unknown name that surely runs is reported as an error, so knead would refuse a good file that
// reads a builtin which this list lacks. The list is dir(builtins) of Python 3.11 without its
// keywords False, None and True.
constexpr const char* kNames =
    "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup "
    "BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError "
    "ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError "
    "DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception "
    "ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning "
    "GeneratorExit IOError ImportError ImportWarning IndentationError IndexError "
    "InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError "
    "ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError "
    "OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError "
    "RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning "
    "StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError "
    "TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError "
    "UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning "
    "ZeroDivisionError __build_class__ __debug__ __doc__ __import__ __loader__ __name__ "
    "__package__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes "
    "callable chr classmethod compile complex copyright credits delattr dict dir divmod "
    "enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help "
    "hex id input int isinstance issubclass iter len license list locals map max memoryview min "
    "next object oct open ord pow print property quit range repr reversed round set setattr "
    "slice sorted staticmethod str sum super tuple type vars zip "
    // Python binds these in modules, in classes and in methods.
    "__annotations__ __builtins__ __class__ __file__ __module__ __qualname__";

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
