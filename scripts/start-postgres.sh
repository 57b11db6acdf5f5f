#!/usr/bin/env bash
# start-postgres.sh DIRECTORY PORT   starts a PostgreSQL without a password on 127.0.0.1:PORT;
#                                    keeps the data of an earlier start in the directory
# start-postgres.sh --for-tests DIRECTORY PORT              like the first, but fast: no data survives a crash
# start-postgres.sh --standby DIRECTORY PORT PRIMARY_PORT   copies the server at PRIMARY_PORT and replicates from it
# start-postgres.sh --promote DIRECTORY                     promotes a standby
# start-postgres.sh --restart DIRECTORY                     restarts without a clean shutdown
# start-postgres.sh --stop DIRECTORY                        stops without a clean shutdown
# start-postgres.sh --shut-down DIRECTORY                   stops with a clean shutdown
set -euo pipefail
# POSTGRES_BIN is the directory with the binaries of another version.
bin=${POSTGRES_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
# POSTGRES_SETTINGS has options for the server, such as -c fsync=off.
# POSTGRES_ENV has assignments for the environment of the server, such as that of a fake clock.
# PostgreSQL refuses to run as root.
as_postgres() { if [ "$(id -u)" -eq 0 ]; then su postgres -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
control() { as_postgres "env ${POSTGRES_ENV:-} '$bin/pg_ctl' -D '$1/data' -w ${*:2}" >/dev/null; }
prepare() {
  mkdir -p "$1"
  [ "$(id -u)" -ne 0 ] || chown postgres "$1"
}
start() {
  control "$1" "-l '$1/log' -o \"-p $2 -h 127.0.0.1 -k '$1' -c max_connections=${connections:-200} -c max_prepared_transactions=50 ${settings:-${POSTGRES_SETTINGS:-}}\" start"
}

if [ "$1" = --for-tests ]; then
  shift
  connections=600
  # Tests of crashes, vacuum and statistics start their own servers.
  settings='-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off -c shared_buffers=256MB'
fi

case "$1" in
  --stop) control "$2" -m immediate stop ;;
  --shut-down) control "$2" -m fast stop ;;
  --restart) control "$2" -m immediate -l "'$2/log'" restart ;;
  --promote) control "$2" promote ;;
  --standby)
    prepare "$2"
    as_postgres "'$bin/pg_basebackup' -D '$2/data' -h 127.0.0.1 -p $4 -U postgres -R -X stream --checkpoint=fast" >/dev/null
    start "$2" "$3"
    ;;
  *)
    prepare "$1"
    [ -d "$1/data" ] || as_postgres "'$bin/initdb' -D '$1/data' --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8" >/dev/null
    start "$1" "$2"
    ;;
esac
