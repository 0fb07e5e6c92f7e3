#include "runner/syntax/builtin_names.h"

#include <sstream>
#include <string>

#include <catch2/catch.hpp>

using knead::syntax::is_builtin;

namespace {

// Lists the names that Python 3.11.7 prints for `import builtins; print(*dir(builtins))`. The
// keywords False, None and True are left out, because the syntax tree has no names for them.
constexpr const char* kBuiltinsOfPython =
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
    "slice sorted staticmethod str sum super tuple type vars zip";

}  // namespace

TEST_CASE("every builtin of Python is known") {
  std::istringstream names(kBuiltinsOfPython);
  int count = 0;
  for (std::string name; names >> name; ++count) {
    CAPTURE(name);
    CHECK(is_builtin(name));
  }
  CHECK(count == 154);
}

TEST_CASE("names of modules, classes and methods are known, others are not") {
  for (const char* name : {"__file__", "__class__", "__qualname__"}) {
    CAPTURE(name);
    CHECK(is_builtin(name));
  }
  for (const char* name : {"", "Print", "unicode", "nn"}) {
    CAPTURE(name);
    CHECK_FALSE(is_builtin(name));
  }
}
