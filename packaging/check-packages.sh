#!/usr/bin/env bash
# Builds the Debian package and the image from dist/oxbow, and checks both: packaging/check-packages.sh DATABASE_URL
# The database must not exist yet. Needs root, and lintian, buildah and systemd of Debian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
database=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export BUILDAH_FLAGS="--storage-driver vfs --root $out/store --runroot $out/run"

bash packaging/build-deb.sh "$out"
package=$(ls "$out"/oxbow_*.deb)
echo "The Debian package has $(($(stat -c %s "$package") / 1000000)) MB, installed $(($(dpkg-deb -f "$package" Installed-Size) / 1000)) MB."
lintian --fail-on error "$package"
# The exposure of the service must be at most 2.0 of 10.
systemd-analyze security --offline=true --threshold=20 --no-pager packaging/debian/oxbow.service | tail -n 1

bash packaging/build-image.sh oxbow:check "$out/image.tar"
echo "The archive of the image has $(($(stat -c %s "$out/image.tar") / 1000000)) MB."
bash packaging/check-image.sh oxbow:check "$database"
