# shellcheck shell=bash
# Starts an engine that is loaded once, for tests that call the engine hundreds of times: each call runs in a process of
# its own. They source this with `work` and `build` set, and start the engine as $ask_engine; knead starts it too.

export WAITING_ENGINE=$work/waiting-engine
"$build/waiting_engine" "$WAITING_ENGINE" &
until [[ -S $WAITING_ENGINE ]]; do
  kill -0 $! 2>/dev/null || { fail 'the waiting engine waits' && finish ''; }
  sleep 0.01
done
ask_engine=$build/ask_engine
export KNEAD_ENGINE=$ask_engine
