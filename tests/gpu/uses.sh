# shellcheck shell=bash disable=SC2154 # root, build, recipes, here, device: of gpu_test.sh
# The parts of gpu_test.sh that use runs.

# uses WORD…: runs knead, whose output goes to said.
uses() { "$build/knead" "$@" >said 2>&1 || fail "knead $1 works" "$(tail said)"; }

part_verbs() {
  write_text
  run "$PWD/run" text.yaml 'train=60 steps' 'export={to: [torchscript, safetensors]}' 'profile={steps: [10, 12]}' \
    track.device_peak=1e12 || { fail 'a run with profile and export' "$(tail run.said)" && return; }
  expect 'a profile has the kernels' '' "$(grep 'kernels are not in it' run.said)"
  expect 'a profile counts the time of the GPU' 1 "$(grep -c '^  GPU 0 ' run.said)"
  expect 'progress shows the share of the peak' yes "$(grep -q ' mfu ' run.said && echo yes || echo no)"
  uses evaluate run
  cp said on_gpu
  uses evaluate run device=cpu
  expect 'an evaluation gives the loss of the CPU' "$(cat said)" "$(cat on_gpu)"
  uses generate run --prompt 'the quick' --tokens 40
  uses predict run --data validation --out predictions.jsonl
  uses export --to torchscript run again.pt
  uses bench text.yaml "device=$device"
  uses plan text.yaml "device=$device"
  uses verify run
}

part_sweep() {
  uses sweep "$root/recipes/digits-sweep.yaml" "output=$PWD" "device=$device" 'train=20 steps' sweep.prune=null expect=null \
    --jobs 3
  expect 'a sweep trains' 1 "$(grep -c '^12 finished' said)"
  uses run "$root/recipes/digits.yaml" "output=$PWD" name=auto
  expect 'device: auto is the GPU' "$device," "$(sed -n 's/^ *device *\([a-z]*,\).*/\1/p' said)"
  CUDA_VISIBLE_DEVICES='' uses run "$root/recipes/digits.yaml" "output=$PWD" name=none
  expect 'device: auto is the CPU where no GPU is shown' cpu, "$(sed -n 's/^ *device *\([a-z]*,\).*/\1/p' said)"
}
