#!/usr/bin/env bash
# Builds an OCI image with Node, the libraries it links and the server; it has no shell and no package manager.
#   packaging/build-image.sh TAG [ARCHIVE]     ARCHIVE is a tar file for `podman load` and `docker load`
# Needs npm run build, buildah and strip. Libraries are those of this machine: build on the oldest system to support.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tag=$1 archive=${2:-}
read -ra flags <<< "${BUILDAH_FLAGS:-}"
buildah() { command buildah "${flags[@]}" "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
bash packaging/build-app.sh "$work"

root=$work/root
install -d "$root"/{etc,usr/lib/oxbow,usr/bin,tmp,proc,sys,dev}
chmod 1777 "$root/tmp"
install -m 755 "$work/node" "$root/usr/bin/node"
mv "$work/app" "$root/usr/lib/oxbow/app"
cp packaging/image/health.mjs "$root/usr/lib/oxbow/health.mjs"
# The libraries of Node and of native modules, and those that glibc loads to look up host names.
{
  find "$root/usr" -type f \( -name node -o -name '*.node' -o -name '*.so*' \) -exec ldd {} + 2> /dev/null |
    grep -oE '(=> )?/[^ ]+ \(' | tr -d '=>( ' | grep -v "^$work"
  libc=$(dirname "$(ldd "$root/usr/bin/node" | grep -o '/[^ ]*/libc\.so\.6')")
  ls "$libc"/libnss_{dns,files}.so.2 "$libc/libresolv.so.2"
} | sort -u | while read -r library; do
  install -D -m 755 "$(realpath "$library")" "$root$library"
done
printf 'root:x:0:0::/:/sbin/nologin\noxbow:x:10001:10001::/var/lib/oxbow:/sbin/nologin\n' > "$root/etc/passwd"
printf 'root:x:0:\noxbow:x:10001:\n' > "$root/etc/group"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
install -d "$work/data"/var/{lib,cache}/oxbow

# Only the docker format knows health checks; Kubernetes has probes of its own.
container=$(buildah from --format docker scratch)
# As archives, because copying a directory gives everything to root.
tar -C "$root" --owner=0 --group=0 -cf "$work/root.tar" .
tar -C "$work/data" --owner=10001 --group=10001 -cf "$work/data.tar" ./var/lib/oxbow ./var/cache/oxbow
buildah add --quiet "$container" "$work/root.tar" / > /dev/null
buildah add --quiet "$container" "$work/data.tar" / > /dev/null
buildah config \
  --user 10001:10001 --workingdir /var/lib/oxbow --port 8484 --volume /var/lib/oxbow --stop-signal SIGTERM \
  --env NODE_ENV=production --env OXBOW_HOST=:: --env OXBOW_DATA_DIR=/var/lib/oxbow --env XDG_CACHE_HOME=/var/cache \
  --entrypoint '["/usr/bin/node","/usr/lib/oxbow/app/bin/oxbow.js"]' --cmd serve \
  --healthcheck 'CMD /usr/bin/node /usr/lib/oxbow/health.mjs' \
  --healthcheck-interval 30s --healthcheck-timeout 5s --healthcheck-start-period 30s \
  "$container"
buildah commit --quiet --format docker --rm "$container" "$tag" > /dev/null
[ -z "$archive" ] || buildah push --quiet "$tag" "docker-archive:$archive:$tag"
