import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Advisories, findAdvisories, listLocked } from './audit/match-advisories.ts'

/**
 * Compares every package of the lockfile with advisories, and exits with 1 if one applies.
 * `--advisories FILE` works offline: JSON like the bulk response of a registry, `{"name":
 * [{"title", "severity", "url", "vulnerable_versions"}]}`. Without a file, `npm audit` queries the
 * registry that npm is configured to use.
 */
const { values } = parseArgs({
  options: { advisories: { type: 'string' }, lockfile: { type: 'string', default: 'package-lock.json' } },
})

if (!values.advisories) process.exit(spawnSync('npm', ['audit'], { stdio: 'inherit' }).status ?? 1)

const locked = listLocked(JSON.parse(readFileSync(values.lockfile, 'utf8')))
const found = findAdvisories(locked, JSON.parse(readFileSync(values.advisories, 'utf8')) as Advisories)
for (const { name, version, advisory } of found)
  process.stdout.write(
    `${advisory.severity}: ${name} ${version} is within ${advisory.vulnerable_versions}: ${advisory.title} ${advisory.url ?? ''}\n`,
  )
process.stdout.write(
  found.length > 0
    ? `${found.length} of ${locked.length} packages have known vulnerabilities. Update them, then run npm run audit again.\n`
    : `No advisory applies to the ${locked.length} packages of ${values.lockfile}.\n`,
)
process.exitCode = found.length > 0 ? 1 : 0
