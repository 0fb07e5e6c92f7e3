#include "runner/engine/tensor/scratch_tensors.h"

#include <map>
#include <mutex>

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Holds the blocks of all tensors in files, which any thread may free.
class Blocks {
 public:
  void add(void* begin, std::size_t bytes, files::ScratchMemory& memory) {
    const std::lock_guard lock(mutex_);
    blocks_.emplace(begin, Block{bytes, &memory});
  }

  /// Returns whether there is such a block; it is freed then.
  bool free(void* begin) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(begin);
    if (found == blocks_.end()) return false;
    found->second.memory->give_back(begin, found->second.bytes);
    blocks_.erase(found);
    return true;
  }

  void move_to_memory() const {
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, block] : blocks_) block.memory->move_to_memory(begin, block.bytes);
  }

  void put_away() const {
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, block] : blocks_)
      block.memory->put_away({static_cast<const std::byte*>(begin), block.bytes});
  }

 private:
  struct Block {
    std::size_t bytes;
    files::ScratchMemory* memory;
  };
  mutable std::mutex mutex_;
  std::map<void*, Block> blocks_;
};

/// Never destroyed: tensors may be freed after static objects.
Blocks& blocks() {
  static auto& all = *new Blocks;
  return all;
}

thread_local files::ScratchMemory* taken_from = nullptr;  // by tensors of this thread
thread_local std::uint64_t touched = 0;                   // bytes, since pages were sent away

void touch(std::uint64_t bytes) {
  touched += bytes;
  if (touched <= ScratchTensors::kAtOnce) return;
  blocks().put_away();
  touched = bytes;
}

/// Returns a block of a file, or null where ordinary memory is meant.
void* take(std::size_t bytes) {
  if (!taken_from || bytes < files::ScratchMemory::kLeast) return nullptr;
  try {
    // A start must not fill the disk of others.
    taken_from->expect_room(2 * bytes);
    void* const begin = taken_from->take(bytes);
    blocks().add(begin, bytes, *taken_from);
    return begin;
  } catch (const Error&) {
    return nullptr;
  }
}

/// The allocator of tensors that lie in ordinary memory.
c10::Allocator& ordinary() {
  static c10::Allocator& first = *c10::GetCPUAllocator();
  return first;
}

void free_block(void* begin) {
  if (!blocks().free(begin)) ordinary().raw_deallocate(begin);
}

/// Lays what a thread allocates in ScratchTensors::make() into files.
class Allocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    if (void* const begin = take(bytes)) {
      touch(bytes);
      return {begin, begin, free_block, c10::Device(c10::kCPU)};
    }
    void* const begin = ordinary().raw_allocate(bytes);
    return {begin, begin, free_block, c10::Device(c10::kCPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return free_block; }

  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

std::uint64_t bytes_of(const c10::IValue& value) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    return tensor.defined() && tensor.is_cpu() && tensor.layout() == at::kStrided ? tensor.nbytes()
                                                                                  : 0;
  }
  if (!value.isTensorList()) return 0;
  std::uint64_t sum = 0;
  for (const c10::IValue& each : value.toListRef()) sum += bytes_of(each);
  return sum;
}

std::unique_ptr<at::ObserverContext> before_operator(const at::RecordFunction& function) {
  std::uint64_t sum = 0;
  const auto all = function.inputs();
  for (const c10::IValue& input : all.slice(all.size() - function.num_inputs()))
    sum += bytes_of(input);
  touch(sum);
  return nullptr;
}

}  // namespace

/// Sees the operators of this thread while it lives.
struct ScratchTensors::Watching {
  explicit Watching(files::ScratchMemory& in)
      : memory(in),
        handle(at::addThreadLocalCallback(at::RecordFunctionCallback(before_operator)
                                              .needsInputs(true)
                                              .scopes({at::RecordScope::FUNCTION}))) {}
  ~Watching() { at::removeCallback(handle); }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  files::ScratchMemory& memory;
  at::CallbackHandle handle;
};

ScratchTensors::ScratchTensors(files::ScratchMemory& memory)
    : watching_(std::make_unique<Watching>(memory)) {}

ScratchTensors::~ScratchTensors() = default;

void ScratchTensors::make(const std::function<void()>& work) {
  // Never destroyed: tensors keep a pointer to it.
  static auto& in_files = *new Allocator;
  struct Taking {
    explicit Taking(files::ScratchMemory& memory) {
      taken_from = &memory;
      ordinary();
      c10::SetCPUAllocator(&in_files);
    }
    ~Taking() {
      c10::SetCPUAllocator(&ordinary());
      taken_from = nullptr;
    }
  } const taking(watching_->memory);
  work();
}

void ScratchTensors::move_to_memory() { blocks().move_to_memory(); }

void ScratchTensors::put_away() { blocks().put_away(); }

}  // namespace knead::engine
