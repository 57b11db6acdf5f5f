#!/usr/bin/env bash
# start-postgres.sh DIRECTORY PORT   starts a PostgreSQL of its own, without a password, on 127.0.0.1:PORT
#                                    (again in the same directory: starts it again with its data)
# start-postgres.sh --stop DIRECTORY
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
# PostgreSQL refuses to run as root.
as_postgres() { if [ "$(id -u)" -eq 0 ]; then su postgres -s /bin/bash -c "$*"; else bash -c "$*"; fi; }

if [ "$1" = --stop ]; then
  as_postgres "'$bin/pg_ctl' -D '$2/data' -m immediate stop" >/dev/null
  exit
fi
mkdir -p "$1"
[ "$(id -u)" -ne 0 ] || chown postgres "$1"
[ -d "$1/data" ] || as_postgres "'$bin/initdb' -D '$1/data' --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8" >/dev/null
as_postgres "'$bin/pg_ctl' -D '$1/data' -l '$1/log' -w -o \"-p $2 -h 127.0.0.1 -k '$1' -c max_connections=200\" start" >/dev/null
