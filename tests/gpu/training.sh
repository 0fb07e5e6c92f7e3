# shellcheck shell=bash disable=SC2154 # root, build, recipes, here, device: of gpu_test.sh
# The parts of gpu_test.sh that train.

# optimizers: those that it reads, a line each.
optimizers() {
  local optimizer bound
  while read -r optimizer; do
    resumes "optimizer $optimizer" "$recipes/diabetes.yaml" "optimizer={lr: 0.01, type: $optimizer}"
    # The first steps of rmsprop do not depend on how large a gradient is, so that rounding grows.
    bound=1e-4
    [[ $optimizer != rmsprop* ]] || bound=0.1
    near "$optimizer" "$bound" "$recipes/digits.yaml" 30 "optimizer={lr: 0.0003, type: $optimizer}"
  done
}
KINDS=('adamw' 'adamw, amsgrad: true' 'adam' 'sgd, momentum: 0.9, dampening: 0.1' 'adagrad' 'rmsprop, centered: true, momentum: 0.9'
  'nadam' 'radam' 'adamax' 'adadelta' 'lion' 'lamb' 'adafactor' 'muon, groups: [{ndim_below: 2, adamw: {}}]')
part_optimizers_a() { printf '%s\n' "${KINDS[@]:0:5}" | optimizers; }
part_optimizers_b() { printf '%s\n' "${KINDS[@]:5:5}" | optimizers; }
part_optimizers_c() { printf '%s\n' "${KINDS[@]:10}" | optimizers; }

part_averages() {
  local average
  for average in '{type: ema, decay: 0.5}' '{type: swa, every: 2 steps, start: 50%}'; do
    resumes "average $average" "$recipes/diabetes.yaml" "average=$average"
  done
  resumes 'clipping' "$recipes/digits.yaml" 'clip=0.5'
}

part_precisions() {
  local precision
  write_text
  for precision in tf32 bf16 '{compute: fp16, scaler: {interval: 2}}'; do
    resumes "text in $precision" text.yaml "precision=$precision"
  done
  resumes 'text in fp32' text.yaml
  resumes 'text, activation checkpointing' text.yaml 'activation_checkpointing=["blocks.*"]'
}

part_models() {
  local name precision
  for name in lstm cnn autoencoder; do
    for precision in fp32 bf16; do
      resumes "digits-$name in $precision" "$root/recipes/digits-$name.yaml" 'schedule=null' "precision=$precision"
    done
  done
}

part_offload() {
  local what
  rm -rf -- kept there
  run "$PWD/kept" "$recipes/digits.yaml" 'model.args.hidden=[512]' || { fail 'digits train' "$(tail kept.said)" && return; }
  for what in '' "path: $PWD/scratch"; do
    rm -rf -- there
    run "$PWD/there" "$recipes/digits.yaml" 'model.args.hidden=[512]' "distributed={offload: {what: optimizer, $what}}" ||
      { fail "the optimizer's state on the host: $what" "$(tail there.said)" && continue; }
    close "the optimizer's state on the host $what" 1e-6 kept there
  done
}

part_near() {
  write_text
  near digits 1e-4 "$root/recipes/digits.yaml" 200
  # Batch norm divides by standard deviations, some of them small.
  near cnn 2e-2 "$root/recipes/digits-cnn.yaml" 40 model.args.dropout=0
  near lstm 1e-4 "$root/recipes/digits-lstm.yaml" 40 schedule=null model.args.dropout=0
  near autoencoder 1e-4 "$root/recipes/digits-autoencoder.yaml" 40 schedule=null
  near text 1e-4 "$PWD/text.yaml" 40 model.args.config.dropout=0
  near 'text, bf16' 5e-2 "$PWD/text.yaml" 40 model.args.config.dropout=0 precision=bf16
}

# Models as people write them give on the GPU what they give on the CPU, compiled or interpreted.
part_corpus() {
  local fixture file files=()
  for fixture in "$root"/tests/fixtures/{corpus,real}/*.json; do
    file=$root/tests/models/${fixture#"$root/tests/fixtures/"}
    [[ ! -e ${file%.json}.py ]] || files+=("${file%.json}.py" "$fixture")
  done
  "$build/models_on_device" "$device" "${files[@]}" >corpus.said 2>&1 ||
    fail 'models give the numbers of the CPU' "$(grep -E 'apart|: only on' corpus.said)"
  tail -n 1 corpus.said
}
