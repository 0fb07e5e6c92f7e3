# shellcheck shell=bash
# Defines a Slurm cluster of this machine, for tests in bash that source this file: Debian's slurm-wlm and munge, without
# systemd, as root or as any one user.
#
#   start_cluster FOLDER NODES   starts it with all its files in a new folder; returns 1 if it does not come up, with
#                                the reason on standard error. Exports SLURM_CONF, so that srun, sbatch and squeue of
#                                the caller, and of jobs, ask this cluster. Ports are free ones of this machine.
#   stop_cluster                 cancels all jobs and stops the daemons. The caller calls it before it ends.
#
# Nodes are named n1, n2, …; each is a slurmd with 8 processors, more than the machine need have, and 2 GPUs that are
# device files of another kind. A job that requeues itself is held back by Slurm for about two minutes.

has_slurm() { command -v slurmctld slurmd srun sbatch scontrol munged >/dev/null; }

start_cluster() {
  local folder nodes=$2 ports
  mkdir -p -- "$1" && folder=$(readlink -f "$1")
  cluster_folder=$folder
  mkdir -p -- "$folder"/{run,state,spool,log}
  chmod 755 "$folder" "$folder/run"
  mapfile -t ports < <(free_ports $((nodes + 2)))
  [[ -e $folder/gpu0 ]] || make_devices "$folder"
  cluster_settings "$folder" "$nodes" "${ports[@]}" >"$folder/slurm.conf"
  printf 'NodeName=n[1-%s] Name=gpu File=%s/gpu[0-1]\n' "$nodes" "$folder" >"$folder/gres.conf"
  export SLURM_CONF=$folder/slurm.conf
  start_daemons "$folder" "$nodes" || { cluster_complaint >&2 && return 1; }
  answers_within 30 "$nodes" || { cluster_complaint >&2 && return 1; }
}

stop_cluster() {
  local file
  [[ -n ${cluster_folder:-} ]] || return 0
  # Its steps end with a job, and slurmd has to live to end them.
  scancel --user "$(id -un)" --signal KILL --full >/dev/null 2>&1 || true
  scancel --user "$(id -un)" >/dev/null 2>&1 || true
  for ((tries = 0; tries < 50; ++tries)); do
    [[ -n $(squeue --noheader 2>/dev/null) ]] || break
    sleep 0.2
  done
  for file in "$cluster_folder"/run/*.pid; do
    [[ ! -s $file ]] || kill "$(cat "$file")" 2>/dev/null || true
  done
  for file in "$cluster_folder"/run/*.pid; do
    [[ ! -s $file ]] || ends_within 10 "$(cat "$file")" || kill -KILL "$(cat "$file")" 2>/dev/null || true
  done
  cluster_folder=
}

# --- what these are made of -----------------------------------------------------------------------

# free_ports COUNT: prints ports that nothing on this machine listens on, below those that the kernel gives away.
free_ports() {
  local used port count=$1
  used=$(awk 'FNR > 1 { split($2, at, ":"); print at[2] }' /proc/net/tcp /proc/net/tcp6 2>/dev/null)
  while ((count > 0)); do
    port=$((10000 + RANDOM % 20000))
    [[ $'\n'$used$'\n' != *$'\n'$(printf '%04X' "$port")$'\n'* ]] || continue
    used+=$'\n'$(printf '%04X' "$port")
    echo "$port"
    count=$((count - 1))
  done
}

# Only root can make device files; for others, Slurm takes any file.
make_devices() {
  local number
  for number in 0 1; do
    mknod "$1/gpu$number" c 1 3 2>/dev/null || touch "$1/gpu$number"
  done
}

# cluster_settings FOLDER NODES PORT…: prints slurm.conf. The first port is slurmctld's.
cluster_settings() {
  local folder=$1 nodes=$2 user host
  shift 2
  user=$(id -un) host=$(hostname)
  cat <<TEXT
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
AuthInfo=socket=$folder/run/munge.socket
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$1
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/log/jobcomp.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=3600
KillWait=5
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
GresTypes=gpu
TEXT
  for ((node = 1; node <= nodes; ++node)); do
    echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=${*:node+1:1} CPUs=8 RealMemory=4000 Gres=gpu:2"
  done
  echo 'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1'
  echo 'PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=off'
}

start_daemons() {
  local folder=$1 nodes=$2 node
  (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key" && chmod 400 "$folder/munge.key")
  munged --force --key-file "$folder/munge.key" --socket "$folder/run/munge.socket" --pid-file "$folder/run/munged.pid" \
    --log-file "$folder/log/munged.log" --seed-file "$folder/munge.seed" 2>"$folder/log/munged.err" || return 1
  slurmctld -c 2>"$folder/log/slurmctld.err" || return 1
  for ((node = 1; node <= nodes; ++node)); do
    mkdir -p "$folder/spool/n$node"
    slurmd -N "n$node" 2>"$folder/log/slurmd.n$node.err" || return 1
  done
}

answers_within() {
  local tries
  for ((tries = 0; tries < $1 * 5; ++tries)); do
    [[ $(sinfo --noheader --Node --partition main --states idle 2>/dev/null | wc -l) != "$2" ]] || return 0
    sleep 0.2
  done
  return 1
}

ends_within() {
  local tries
  for ((tries = 0; tries < $1 * 10; ++tries)); do
    kill -0 "$2" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

cluster_complaint() {
  echo 'the Slurm of this test does not come up:'
  tail -n 5 "$cluster_folder"/log/*.err "$cluster_folder"/log/*.log 2>/dev/null
  sinfo --Node --long 2>&1 || true
}
