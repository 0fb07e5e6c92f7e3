# shellcheck shell=bash
# Sourced by tests that call the engine hundreds of times, with `work` and `build` set: each call is a process of its
# own, of an engine that is loaded once. `ask_engine` is the program to call; knead takes it too.

export WAITING_ENGINE=$work/waiting-engine
"$build/waiting_engine" "$WAITING_ENGINE" &
until [[ -S $WAITING_ENGINE ]]; do
  kill -0 $! 2>/dev/null || { fail 'the waiting engine waits' && finish ''; }
  sleep 0.01
done
ask_engine=$build/ask_engine
export KNEAD_ENGINE=$ask_engine
