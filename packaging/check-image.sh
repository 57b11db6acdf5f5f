#!/usr/bin/env bash
# Runs the image as its user on a read-only root, and asks it for its health: packaging/check-image.sh TAG DATABASE_URL
# Needs root and buildah. It starts what the image names, without a container engine.
set -euo pipefail
tag=$1 database=$2 port=18484
read -ra flags <<< "${BUILDAH_FLAGS:-}"
buildah() { command buildah "${flags[@]}" "$@"; }
container=$(buildah from "$tag")
root=$(buildah mount "$container")
trap 'buildah umount "$container" > /dev/null; buildah rm "$container" > /dev/null' EXIT
size=$(du -s --block-size=1000000 "$root" | cut -f1)
echo "The image has $size MB."
[ "$size" -le 180 ]
[ ! -e "$root/bin/sh" ] && [ ! -e "$root/usr/bin/sh" ]

OXBOW_PORT=$port DATABASE_URL=$database unshare --mount --pid --fork --kill-child bash -euo pipefail -s "$root" <<'INSIDE'
root=$1
mount --bind "$root" "$root"
mount -o remount,ro,bind "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for folder in tmp var/lib/oxbow var/cache/oxbow; do mount -t tmpfs -o uid=10001,gid=10001 tmpfs "$root/$folder"; done
# Without PATH, env would not look into /usr/sbin.
chroot=$(PATH=$PATH:/usr/sbin command -v chroot)
chrooted() {
  env -i OXBOW_PORT="$OXBOW_PORT" DATABASE_URL="$DATABASE_URL" OXBOW_METRICS_LISTEN=off NODE_ENV=production \
    OXBOW_HOST=:: OXBOW_DATA_DIR=/var/lib/oxbow XDG_CACHE_HOME=/var/cache \
    "$chroot" --userspec=10001:10001 "$root" /usr/bin/node "$@"
}
oxbow=/usr/lib/oxbow/app/bin/oxbow.js
chrooted $oxbow --version
chrooted $oxbow organization create --name "Our team"
chrooted $oxbow serve > /dev/null &
for _ in $(seq 300); do
  if chrooted /usr/lib/oxbow/health.mjs; then echo "The image is healthy."; exit 0; fi
  sleep 0.2
done
echo "The image did not become healthy." >&2
exit 1
INSIDE
