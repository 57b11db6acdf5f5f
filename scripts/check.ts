import { spawnSync } from 'node:child_process'

/** What must hold before anything else is looked at; the fastest first. */
const steps: [string, string[]][] = [
  ['format and lint', ['biome', 'check', '--error-on-warnings']],
  ['types', ['tsc', '--project', '.']],
  ['import arrows', ['node', 'scripts/check-imports.ts']],
  ['generated files', ['node', 'scripts/write-api-docs.ts', '--check']],
]

const env = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` }

for (const [name, [command = '', ...args]] of steps) {
  const started = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
  if (status !== 0) process.exit(1)
}
