#!/usr/bin/env bash
# Prepares a checkout: installs Node 24 if the machine's is older, installs the packages, builds the web client, and looks for PostgreSQL.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
if [ "$major" -lt 24 ] && [ ! -x .toolchain/node_modules/.bin/node ]; then
  echo "This machine has Node $major; installing Node 24 in .toolchain/"
  npm install --prefix .toolchain --no-save --no-audit --no-fund --loglevel=error node@24
fi
[ "$major" -ge 24 ] || export PATH="$PWD/.toolchain/node_modules/.bin:$PATH"
echo "Node $(node --version)"

echo "Installing packages"
npm ci --no-audit --no-fund --loglevel=error

echo "Building the web client"
node apps/web/scripts/build.ts >/dev/null

if node scripts/find-postgres.ts; then
  echo "Ready. Try: npx oxbow try, npm run dev, npm test; npx oxbow --help lists all commands"
else
  echo "The packages are ready; PostgreSQL is missing. On Debian or Ubuntu: apt-get install postgresql" >&2
fi
