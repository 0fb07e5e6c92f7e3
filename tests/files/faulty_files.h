#pragma once

#include <functional>
#include <map>

#include "runner/files/file_system.h"

namespace knead::tests {

enum class Call {
  create,
  open,
  write,
  read,
  size,
  sync,
  close,
  make_folder,
  sync_folder,
  list,
  rename,
  rename_new,
  remove_file,
  remove_folder,
  space
};

/// What happens at a call instead of the call, or besides.
struct Fault {
  enum class Kind { none, fail, short_call, ignore, die_before, die_after } kind = Kind::none;
  int number = 0;  // the errno of fail
};

/// A process that was killed: not to be caught by anything that is tested.
struct Killed {};

/// Another file system with faults. `plan` decides for each call, which are counted from 1; of the
/// calls with a descriptor the path is that of the file.
class FaultyFiles : public files::FileSystem {
 public:
  using Plan = std::function<Fault(int n, Call call, const std::filesystem::path& path)>;

  FaultyFiles(files::FileSystem& under, Plan plan) : under_(under), plan_(std::move(plan)) {}

  int calls() const { return calls_; }
  bool is_dead() const { return is_dead_; }

  int create(const std::filesystem::path& path) override {
    return named(path, pass(Call::create, path, [&] { return under_.create(path); }));
  }
  int open(const std::filesystem::path& path) override {
    return named(path, pass(Call::open, path, [&] { return under_.open(path); }));
  }
  std::size_t write(int file, std::span<const std::byte> bytes) override {
    return pass(Call::write, names_[file], [&] {
      return under_.write(file, is_short_ && bytes.size() > 1 ? bytes.first(1) : bytes);
    });
  }
  std::size_t read(int file, std::span<std::byte> bytes) override {
    return pass(Call::read, names_[file], [&] {
      return under_.read(file, is_short_ && bytes.size() > 1 ? bytes.first(1) : bytes);
    });
  }
  std::uint64_t size(int file) override {
    return pass(Call::size, names_[file], [&] { return under_.size(file); });
  }
  void sync(int file) override {
    pass(Call::sync, names_[file], [&] { under_.sync(file); });
  }
  /// Closes also where it fails, as the system does. Destructors close, so who dies here only stops
  /// at the next call.
  void close(int file) override {
    if (is_dead_) return;
    const Fault fault = plan_(++calls_, Call::close, names_[file]);
    is_dead_ = fault.kind == Fault::Kind::die_before || fault.kind == Fault::Kind::die_after;
    under_.close(file);
    if (fault.kind == Fault::Kind::fail) throw files::FileError("close", fault.number);
  }
  void make_folder(const std::filesystem::path& path) override {
    pass(Call::make_folder, path, [&] { under_.make_folder(path); });
  }
  void sync_folder(const std::filesystem::path& path) override {
    pass(Call::sync_folder, path, [&] { under_.sync_folder(path); });
  }
  std::vector<files::Entry> list(const std::filesystem::path& path) override {
    return pass(Call::list, path, [&] { return under_.list(path); });
  }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    pass(Call::rename, from, [&] { under_.rename(from, to); });
  }
  void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) override {
    pass(Call::rename_new, from, [&] { under_.rename_new(from, to); });
  }
  void remove_file(const std::filesystem::path& path) override {
    pass(Call::remove_file, path, [&] { under_.remove_file(path); });
  }
  void remove_folder(const std::filesystem::path& path) override {
    pass(Call::remove_folder, path, [&] { under_.remove_folder(path); });
  }
  files::Space space(const std::filesystem::path& folder) override {
    return pass(Call::space, folder, [&] { return under_.space(folder); });
  }

 private:
  template <class Do>
  auto pass(Call call, const std::filesystem::path& path, Do act) -> decltype(act()) {
    if (is_dead_) throw Killed{};
    const Fault fault = plan_(++calls_, call, path);
    if (fault.kind == Fault::Kind::die_before) die();
    if (fault.kind == Fault::Kind::fail) throw files::FileError("do", fault.number);
    if (fault.kind == Fault::Kind::ignore) return decltype(act())();
    is_short_ = fault.kind == Fault::Kind::short_call;
    if (fault.kind != Fault::Kind::die_after) return act();
    try {
      act();
    } catch (const files::FileError&) {
      // It dies all the same.
    }
    die();
  }

  int named(const std::filesystem::path& path, int file) {
    names_[file] = path;
    return file;
  }

  [[noreturn]] void die() {
    is_dead_ = true;
    throw Killed{};
  }

  files::FileSystem& under_;
  Plan plan_;
  int calls_ = 0;
  bool is_dead_ = false;
  bool is_short_ = false;
  std::map<int, std::filesystem::path> names_;
};

}  // namespace knead::tests
