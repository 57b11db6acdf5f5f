#!/usr/bin/env bash
# Builds the Debian package, with a Node of its own: packaging/build-deb.sh OUT [PACKAGE]
# It runs on Debian 10 and Ubuntu 20.04 and newer (glibc 2.28). Needs PACKAGE (dist/oxbow of npm run build), dpkg-deb, strip and gzip.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(mkdir -p "$1" && realpath "$1")
version=$(node -p 'require("./package.json").version')
arch=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
bash packaging/build-app.sh "$work" "${@:2}"

root=$work/root
files=packaging/debian
install -d "$root"/{DEBIAN,etc/oxbow,usr/bin,usr/lib/oxbow/bin,lib/systemd/system}
install -d "$root"/usr/share/{doc/oxbow/examples,man/man1,lintian/overrides}
install -m 755 "$work/node" "$root/usr/lib/oxbow/bin/node"
mv "$work/app" "$root/usr/lib/oxbow/app"
mv "$root/usr/lib/oxbow/app/THIRD-PARTY-LICENSES.txt" "$root/usr/share/doc/oxbow/"
# Nothing here is executed by itself: /usr/bin/oxbow names the runtime.
find "$root/usr/lib/oxbow/app" -type f -exec chmod 644 {} +
find "$root/usr/lib/oxbow/app" -path '*/bin/*' -type f -exec sed -i '1{/^#!/d}' {} +
install -m 755 $files/oxbow "$root/usr/bin/oxbow"
install -m 644 $files/oxbow.env "$root/etc/oxbow/oxbow.env"
install -m 644 $files/oxbow.service "$root/lib/systemd/system/oxbow.service"
install -m 644 $files/copyright "$root/usr/share/doc/oxbow/copyright"
install -m 644 packaging/proxies/* "$root/usr/share/doc/oxbow/examples/"
install -m 644 $files/lintian-overrides "$root/usr/share/lintian/overrides/oxbow"
gzip -9nc $files/oxbow.1 > "$root/usr/share/man/man1/oxbow.1.gz"
printf 'oxbow (%s) stable; urgency=medium\n\n  * Release %s.\n\n -- Oxbow <packages@oxbow.example>  %s\n' \
  "$version" "$version" "$(git log -1 --format=%aD)" | gzip -9n > "$root/usr/share/doc/oxbow/changelog.gz"
install -m 755 $files/postinst $files/prerm $files/postrm "$root/DEBIAN/"
echo /etc/oxbow/oxbow.env > "$root/DEBIAN/conffiles"
# The postinst creates the database as soon as PostgreSQL is installed.
printf 'interest-noawait %s\n' oxbow-database /usr/lib/postgresql > "$root/DEBIAN/triggers"
cat > "$root/DEBIAN/control" <<CONTROL
Package: oxbow
Version: $version
Architecture: $arch
Maintainer: Oxbow <packages@oxbow.example>
Installed-Size: $(du -k -s "$root" | cut -f1)
Depends: adduser, libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1 | libgcc1
Recommends: postgresql (>= 15)
Suggests: nginx | caddy
Section: net
Priority: optional
Homepage: https://www.npmjs.com/package/oxbow
Description: team chat server with streams, topics, bots and webhooks
 Oxbow is a team chat server that you run yourself. It keeps everything in
 PostgreSQL and implements the chat-service API, so that existing clients,
 bots and libraries work with it. The package contains the Node runtime that
 it needs.
CONTROL
(cd "$root" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group -Zxz -z3 -b "$root" "$out/oxbow_${version}_$arch.deb"
