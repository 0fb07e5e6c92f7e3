#include "runner/front/check/foreign_packages.h"

#include <string_view>

#include <fmt/format.h>

#include "runner/syntax/names/absent_modules.h"

namespace knead::front {
namespace {

// Packages that the engine has a part of.
constexpr std::string_view kOfModels =
    " einops huggingface_hub numpy scipy timm torch torchvision typing_extensions ";

// The standard library of Python 3.11, as sys.stdlib_module_names lists it, without private
// modules.
constexpr std::string_view kOfPython =
    " "
    "abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop "
    "base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd "
    "code codecs codeop collections colorsys compileall concurrent configparser contextlib "
    "contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal "
    "difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl "
    "filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass "
    "gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp "
    "importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging "
    "lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt "
    "multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator "
    "optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib "
    "poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc "
    "pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy "
    "sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr "
    "socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat "
    "statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog "
    "tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit "
    "tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types "
    "typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser "
    "winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo ";

bool has_word(std::string_view words, const std::string& word) {
  return words.find(" " + word + " ") != words.npos;
}

bool is_known_package(const std::string& root) {
  return has_word(kOfModels, root) || has_word(kOfPython, root);
}

}  // namespace

std::string imported_as(const syntax::File& file, const std::string& name) {
  for (const syntax::Statement& statement : file.body) {
    const auto* import = std::get_if<syntax::Import>(&statement.kind);
    if (!import || import->level > 0) continue;
    for (const syntax::ImportedName& one : import->names) {
      if (import->is_from && (one.alias.empty() ? one.name : one.alias) == name) {
        return import->module + "." + one.name;
      }
      if (import->is_from) continue;
      if (one.alias == name) return one.name;
      const std::string root = one.name.substr(0, one.name.find('.'));
      if (one.alias.empty() && root == name) return root;
    }
  }
  return "";
}

std::string foreign_name(const ModelFiles& files, const std::string& dotted) {
  std::string imported = imported_as(files.main(), dotted.substr(0, dotted.find('.')));
  const std::string root = imported.substr(0, imported.find('.'));
  if (root.empty() || is_known_package(root) || files.may_have(root)) return "";
  return imported;
}

schema::Problem foreign_problem(const syntax::File& file, const syntax::Expression& dotted,
                                const std::string& name) {
  const syntax::Expression* first = &dotted;
  while (const auto* attribute = std::get_if<syntax::Attribute>(&first->kind))
    first = attribute->value.get();
  return {"model-failed", file.place(first->range),
          fmt::format("'{}' is not available to models", name), syntax::instead_of(name),
          schema::Severity::error};
}

}  // namespace knead::front
