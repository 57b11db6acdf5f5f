#!/usr/bin/env bash
# Builds everything that a release consists of, with checksums, from a clean clone: packaging/build-release.sh OUT
# Needs npm ci, dpkg-deb, strip and buildah.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -z "$(git status --porcelain)" ] || { echo "The clone has changes: commit or remove them." >&2; exit 1; }
out=$(mkdir -p "$1" && realpath "$1")
version=$(node -p 'require("./package.json").version')
npm run build
for package in dist/*/; do npm pack "./$package" --pack-destination "$out" --silent; done
bash packaging/build-deb.sh "$out"
bash packaging/build-image.sh "oxbow:$version" "$out/oxbow-image-$version.tar"
gzip -9n "$out/oxbow-image-$version.tar"
# The archive of the image has no tag `latest`.
sed "s/image: oxbow:latest/image: oxbow:$version/" packaging/compose.yaml > "$out/compose.yaml"
grep -q "image: oxbow:$version" "$out/compose.yaml"
git archive --prefix="oxbow-$version/" --output="$out/oxbow-$version-source.tar.gz" HEAD
cp dist/oxbow/bom.cdx.json "$out/oxbow-$version.cdx.json"
(cd "$out" && rm -f SHA256SUMS && sha256sum -- * > SHA256SUMS)
