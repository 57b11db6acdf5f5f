#!/usr/bin/env bash
# Starts the installed terminal client with a configuration file.
# usage: bash scripts/clients/terminal.sh [CONFIG_FILE]      the default file is ~/.zuliprc
set -euo pipefail
config=${1:-$HOME/.zuliprc}
[ -r "$config" ] || { echo "$config cannot be read; write it with scripts/clients/write-config.sh" >&2; exit 1; }
command -v zulip-term > /dev/null || { echo "zulip-term is not installed, or not on the PATH" >&2; exit 1; }
chmod 600 "$config"
exec zulip-term --config-file "$config"
