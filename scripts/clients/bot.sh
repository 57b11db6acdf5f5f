#!/usr/bin/env bash
# Runs a bot of the installed zulip_bots package until it is stopped.
# usage: bash scripts/clients/bot.sh CONFIG_FILE [BOT]      the default bot is helloworld
set -euo pipefail
if [ $# -lt 1 ]; then
  echo "usage: $0 CONFIG_FILE [BOT]" >&2
  exit 2
fi
config=$1 bot=${2:-helloworld}
[ -r "$config" ] || { echo "$config cannot be read; write it with scripts/clients/write-config.sh" >&2; exit 1; }
command -v zulip-run-bot > /dev/null || { echo "zulip_bots is not installed, or not on the PATH" >&2; exit 1; }
exec zulip-run-bot "$bot" --config-file "$config"
