#include <catch2/catch.hpp>

#include "tests/peers/imported.h"

using namespace knead;
using namespace knead::peers;

namespace {

constexpr const char* kConfig =
    "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 8\n";

std::string config(const std::string& more, int processes = 0) {
  return imported(kConfig + more, "accelerate", processes);
}

}  // namespace

TEST_CASE("processes become ranks, those of several machines divided among them") {
  CHECK(line_of(config(""), "ranks:") == "ranks: 8");
  CHECK(line_of(config("num_machines: 1\n"), "ranks:") == "ranks: 8");
  CHECK(line_of(config("num_machines: 2\n"), "ranks:") == "ranks: 4");
  CHECK(line_of(config("num_machines: 3\n"), "ranks:") == "ranks: 2");
  CHECK(line_of(config("num_machines: 2\n", 6), "ranks:") == "ranks: 3");
  CHECK(line_of(imported("distributed_type: MULTI_GPU\nnum_machines: 2\n", "accelerate"), "ranks:")
            .empty());
  const std::string hf = "per_device_train_batch_size: 4\n";
  CHECK(line_of(imported(hf, "transformers", 16), "ranks:") == "ranks: 16");
  CHECK(line_of(imported(hf + "world_size: 2\n", "transformers"), "ranks:") == "ranks: 2");
  CHECK(line_of(imported(hf + "world_size: 2\n", "transformers"), "size:") == "size: 8");
  CHECK(imported(hf + "world_size: 1\n", "transformers").find("distributed") == std::string::npos);
}

TEST_CASE("a batch counts the processes that Accelerate really starts") {
  const std::string batch = "gradient_accumulation_steps: 3\n";
  const std::string hf = "per_device_train_batch_size: 4\nworld_size: 8\n";
  CHECK(line_of(imported(hf + batch, "transformers"), "size:") == "size: 96");
  // Without a type that says several, its launcher starts one process.
  const std::string single =
      imported("distributed_type: 'NO'\nnum_processes: 4\nnum_machines: 1\n", "accelerate");
  CHECK(line_of(single, "ranks:").empty());
  CHECK(single.find("# does not count: distributed_type says that there is one process\n"
                    "#   theirs: num_processes: 4\n") != std::string::npos);
}

TEST_CASE("replicas and shards are processes if both are known") {
  const std::string tune = "optimizer: {_component_: torch.optim.SGD}\nbatch_size: 2\n";
  const std::string both = tune + "data_parallel_replicate_dim: 2\ndata_parallel_shard_dim: 4\n";
  CHECK(line_of(imported(both, "torchtune"), "ranks:") == "ranks: 8");
  CHECK(line_of(imported(both, "torchtune"), "size:") == "size: 16");
  const std::string inferred =
      imported(tune + "data_parallel_replicate_dim: 2\ndata_parallel_shard_dim: -1\n", "torchtune");
  CHECK(line_of(inferred, "ranks:").empty());
  CHECK(line_of(inferred, "replicas:") == "replicas: 2");
  CHECK(
      line_of(imported(tune + "data_parallel_replicate_dim: 2\n", "torchtune"), "ranks:").empty());
  const std::string axolotl = "base_model: small\nmicro_batch_size: 2\ndp_shard_size: 4\n";
  CHECK(line_of(imported(axolotl, "axolotl"), "ranks:") == "ranks: 4");
  CHECK(line_of(imported(axolotl, "axolotl"), "size:") == "size: 8");
}

TEST_CASE("the type of processes says where they train") {
  const auto device = [](const std::string& type, const std::string& more = "") {
    return line_of(imported("distributed_type: " + type + "\n" + more, "accelerate"), "device:");
  };
  CHECK(device("MULTI_GPU") == "device: cuda");
  CHECK(device("MULTI_GPU", "use_cpu: true\n") == "device: cpu");
  CHECK(device("MULTI_CPU") == "device: cpu");
  CHECK(device("FSDP").empty());
  CHECK(line_of(
            imported("distributed_type: MULTI_CPU\nnum_cpu_threads_per_process: 3\n", "accelerate"),
            "threads:") == "threads: 3");
  const std::string other = imported("distributed_type: MULTI_NPU\nuse_cpu: false\n", "accelerate");
  CHECK(other.find("# no counterpart: knead trains on CPUs and CUDA\n"
                   "#   theirs: distributed_type: MULTI_NPU\n") != std::string::npos);
}

TEST_CASE("what DDP is told becomes the block distributed") {
  const auto line = [](const std::string& text, const std::string& key) {
    return line_of(imported("num_train_epochs: 1\n" + text, "transformers"), key);
  };
  CHECK(line("ddp_timeout: 5400\n", "timeout:") == "timeout: 90 min");
  CHECK(line("ddp_timeout: 1800\n", "timeout:").empty());
  CHECK(line("ddp_timeout: -5\n", "timeout:").empty());
  CHECK(line("ddp_bucket_cap_mb: 50\n", "bucket:") == "bucket: 50 MiB");
  CHECK(line("ddp_bucket_cap_mb: null\n", "bucket:").empty());
  CHECK(line("ddp_broadcast_buffers: false\n", "buffers:") == "buffers: local");
  CHECK(line("ddp_broadcast_buffers: true\n", "buffers:") == "buffers: broadcast");
  CHECK(line("ddp_broadcast_buffers: null\n", "buffers:").empty());
  CHECK(line("ddp_backend: gloo\n", "backend:") == "backend: gloo");
  CHECK(line("ddp_backend: nccl\n", "backend:").empty());
  CHECK(line("ddp_backend: null\n", "backend:").empty());
  CHECK(imported("num_train_epochs: 1\nddp_backend: mpi\n", "transformers")
            .find("# no counterpart: Gloo or NCCL carries tensors between ranks\n"
                  "#   theirs: ddp_backend: mpi\n") != std::string::npos);
  const std::string axolotl =
      imported("base_model: small\nddp_timeout: 60\nddp_broadcast_buffers: false\n", "axolotl");
  CHECK(line_of(axolotl, "timeout:") == "timeout: 1 min");
  CHECK(line_of(axolotl, "buffers:") == "buffers: local");
}
