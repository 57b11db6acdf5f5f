#!/usr/bin/env bash
# start-s3.sh DIRECTORY PORT    starts an S3 server for tests on 127.0.0.1:PORT, or starts again those of its processes
#                               that were killed; keeps the data of an earlier start in the directory
# start-s3.sh --stop DIRECTORY  stops it
#
# The server is OpenStack Swift with its S3 interface (Debian: python3-swift). Its four processes (object, container,
# account, proxy) use the same port on four loopback addresses. DIRECTORY has NAME.pid and NAME.log for each.
# The key test:tester with the secret "testing" may do everything; test:nobody with the same secret may do nothing.
set -euo pipefail

names=(object container account proxy)

address_of() {
  case $1 in proxy) echo 127.0.0.1 ;; account) echo 127.0.0.2 ;; container) echo 127.0.0.3 ;; object) echo 127.0.0.4 ;; esac
}

# Prints the id of a server's process if it runs. The pid file may be old, so the command line is compared.
find_server() {
  local pid
  pid=$(cat "$directory/$1.pid" 2>/dev/null) || return 1
  tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | grep -Fxq "$directory" || return 1
  echo "$pid"
}

stop_all() {
  local name pid
  # Nothing is lost by SIGKILL: Swift flushes an object before it answers.
  for name in "${names[@]}"; do
    if pid=$(find_server "$name"); then kill -KILL "$pid" 2>/dev/null || true; fi
  done
  for name in "${names[@]}"; do
    while find_server "$name" >/dev/null; do sleep 0.05; done
    rm -f "$directory/$name.pid"
  done
}

write_settings() {
  mkdir -p "$directory/etc" "$directory/devices/disk"
  cat >"$directory/etc/swift.conf" <<END
[swift-hash]
swift_hash_path_suffix = oxbow-tests
[storage-policy:0]
name = default
default = yes
END
  local name
  for name in "${names[@]}"; do
    {
      cat <<END
[DEFAULT]
bind_ip = $(address_of "$name")
bind_port = $port
bind_timeout = 5
user = $(id -un)
swift_dir = $directory/etc
devices = $directory/devices
workers = 0
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
conn_timeout = 10
node_timeout = 60
container_update_timeout = 60
END
      if [ "$name" = proxy ]; then proxy_settings; else storage_settings "$name"; fi
    } >"$directory/etc/$name-server.conf"
  done
}

storage_settings() {
  cat <<END
[pipeline:main]
pipeline = healthcheck $1-server
[filter:healthcheck]
use = egg:swift#healthcheck
[app:$1-server]
use = egg:swift#$1
[object-updater]
recon_cache_path = $directory
END
}

proxy_settings() {
  cat <<END
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Requests reach a server again as soon as it is back.
error_suppression_interval = 0
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
storage_domain = localhost
max_upload_part_num = 10000
# Short pages, so that few files make a listing of several.
max_bucket_listing = 10
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_nobody = testing
# The proxy requires a cache. Nothing listens at this address, so nothing is cached.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.5:$port
log_level = CRITICAL
END
  local filter
  for filter in catch_errors gatekeeper healthcheck listing_formats bulk copy dlo symlink; do
    printf '[filter:%s]\nuse = egg:swift#%s\n' "$filter" "$filter"
  done
}

# Debian's interpreter, without the settings of a user: others would not find Swift. One process loads the modules and
# forks the servers, which takes a third of the processor time of four programs.
start_missing() {
  /usr/bin/python3 -I - "$directory" "$port" "$@" <<'END'
import os, sys
from swift.common.ring import RingBuilder
from swift.common.utils import eventlet_monkey_patch, set_swift_dir
from swift.common.wsgi import run_wsgi
import swift.account.server, swift.container.server, swift.obj.server, swift.proxy.server
import swift.common.middleware.s3api.s3api

directory, port, *names = sys.argv[1:]
os.setxattr(directory + '/devices/disk', 'user.swift.probe', b'1')

for kind, ip in (('account', '127.0.0.2'), ('container', '127.0.0.3'), ('object', '127.0.0.4')):
    ring = RingBuilder(part_power=0, replicas=1, min_part_hours=0)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': ip, 'port': int(port), 'device': 'disk', 'weight': 1, 'meta': ''})
    ring.rebalance()
    ring.get_ring().save(f'{directory}/etc/{kind}.ring.gz')

set_swift_dir(directory + '/etc')
eventlet_monkey_patch()
for name in names:
    pid = os.fork()
    if pid:
        with open(f'{directory}/{name}.pid', 'w') as file:
            file.write(f'{pid}\n')
        continue
    os.setsid()
    log = os.open(f'{directory}/{name}.log', os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.exit(run_wsgi(f'{directory}/etc/{name}-server.conf', f'{name}-server', verbose=True))
END
}

wait_for() {
  local deadline=$((SECONDS + 60))
  until (exec 3<>"/dev/tcp/$(address_of "$1")/$port" && printf 'GET /healthcheck HTTP/1.0\r\n\r\n' >&3 && grep -q ' 200 ' <&3) 2>/dev/null; do
    if ! find_server "$1" >/dev/null || ((SECONDS > deadline)); then
      tail -n 20 "$directory/$1.log" >&2
      stop_all
      echo "The $1 server of Swift did not start; its log is $directory/$1.log." >&2
      exit 1
    fi
    sleep 0.05
  done
}

# Adds objects to the listings whose container server was down when they were written.
update_listings() {
  compgen -G "$directory/devices/disk/async_pending/*/*" >/dev/null || return 0
  /usr/bin/python3 -I - "$directory" >>"$directory/updater.log" 2>&1 <<'END'
import sys
from swift.common.utils import set_swift_dir
set_swift_dir(sys.argv[1] + '/etc')
from swift.common.daemon import run_daemon
from swift.obj.updater import ObjectUpdater
run_daemon(ObjectUpdater, sys.argv[1] + '/etc/object-server.conf', once=True, verbose=True)
END
}

if [ "${1:-}" = --stop ]; then
  directory=$(realpath "$2")
  stop_all
  exit
fi
directory=$(realpath -m "$1")
port=$2
missing=()
for name in "${names[@]}"; do find_server "$name" >/dev/null || missing+=("$name"); done
if [ ${#missing[@]} -gt 0 ]; then
  write_settings
  start_missing "${missing[@]}" || {
    echo "Swift cannot be started. On Debian: apt-get install --no-install-recommends python3-swift" >&2
    exit 1
  }
fi
for name in "${names[@]}"; do wait_for "$name"; done
update_listings
