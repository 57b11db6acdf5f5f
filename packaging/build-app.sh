#!/usr/bin/env bash
# Makes the directory that the Debian package and the image contain: the package `oxbow` with its dependencies, and Node.
#   packaging/build-app.sh OUT [PACKAGE]     PACKAGE is dist/oxbow (npm run build); writes OUT/app and OUT/node
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(mkdir -p "$1" && realpath "$1")
package=$(realpath "${2:-dist/oxbow}")
case $(uname -m) in
  x86_64) platform=linux-x64 ;;
  aarch64) platform=linux-arm64 ;;
  *) echo "There is no Node package for $(uname -m)." >&2; exit 1 ;;
esac
rm -rf "$out/app" "$out/node" "$out/runtime"
cp -r "$package" "$out/app"
quiet=(--no-audit --no-fund --loglevel=error --ignore-scripts --prefer-offline)
# The optional packages are those for traces, which people who use the image could not add.
mapfile -t optional < <(node -p 'Object.entries(require(process.argv[1]).peerDependencies).map((peer) => peer.join("@")).join("\n")' "$package/package.json")
npm install --prefix "$out/app" --no-save --omit=dev "${quiet[@]}" "${optional[@]}"
rm -f "$out/app/package-lock.json" "$out/app/node_modules/.package-lock.json"
# A registry package with the binary inside and without an install script.
mkdir -p "$out/runtime"
npm install --prefix "$out/runtime" --no-save --omit=optional "${quiet[@]}" "node-$platform@24"
# Symbols are a seventh of the binary, and only native debuggers use them.
strip --strip-unneeded -o "$out/node" "$out/runtime/node_modules/node-$platform/bin/node"
chmod 755 "$out/node"
rm -rf "$out/runtime"
# Files of dependencies that nothing reads at run time.
find "$out/app/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
find "$out/app" -type f \( -name '*.node' -o -name '*.so*' \) -exec strip --strip-unneeded {} +
rm -rf "$out/app/node_modules/.bin"
chmod -R u=rwX,go=rX "$out/app"
