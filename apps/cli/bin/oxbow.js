#!/usr/bin/env node
// Plain JavaScript that any Node can read, to start Oxbow with a Node that is new enough for it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const wanted = 24
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const bundled = fileURLToPath(new URL('../../../.toolchain/node_modules/.bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import(main)
} else if (existsSync(bundled)) {
  const { status, signal } = spawnSync(bundled, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(signal ? 1 : (status ?? 1))
} else {
  process.stderr.write(
    `Oxbow needs Node ${wanted} or newer; this is ${process.version}. In a checkout, \`npm run setup\` brings one.\n`,
  )
  process.exit(1)
}
