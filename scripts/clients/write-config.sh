#!/usr/bin/env bash
# Writes the configuration file that clients of the protocol read, with mode 600.
# usage: bash scripts/clients/write-config.sh SITE EMAIL API_KEY FILE
set -euo pipefail
if [ $# -ne 4 ]; then
  echo "usage: $0 SITE EMAIL API_KEY FILE" >&2
  exit 2
fi
site=${1%/} email=$2 key=$3 file=$4
if [ -e "$file" ]; then
  echo "$file exists already; remove it or name another file" >&2
  exit 1
fi
umask 077
printf '[api]\nemail=%s\nkey=%s\nsite=%s\n' "$email" "$key" "$site" > "$file"
echo "wrote $file"
