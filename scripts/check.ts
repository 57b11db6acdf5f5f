import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Each checker computes most types again. With two processors, one checker takes half the time of the default four. */
const checkers = String(Math.max(1, Math.floor(availableParallelism() / 2)))
const checkTypes = (project: string): string[] => ['tsc', '--project', project, '--checkers', checkers]

/** Static checks, which need no database. They run in parallel. */
const steps: [string, string[]][] = [
  ['types', checkTypes('.')],
  ['types of browser packages', checkTypes('tsconfig.browser.json')],
  ['types of the web client', checkTypes('apps/web')],
  ['types of its tests', checkTypes('apps/web/tsconfig.test.json')],
  ['format and lint', ['biome', 'check', '--error-on-warnings']],
  ['imports, promises and how-to pages', ['node', 'scripts/check-sources.ts']],
  ['regular expressions', ['node', 'scripts/check-patterns.ts']],
  ['generated files', ['node', 'scripts/write-api-docs.ts', '--check']],
  ['generated texts', ['node', 'packages/texts/scripts/write-texts.ts', '--check']],
  ['generated texts of the web client', ['node', 'apps/web/scripts/compile-messages.ts', '--check']],
  ['prose', ['node', 'scripts/check-prose.ts']],
]

const env = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` }

/** Runs a step and returns whether it passed. Its output is printed as a whole when it ends. */
async function runStep(name: string, [command = '', ...args]: string[]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (text) => (output += text))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (status !== 0) process.stdout.write(output)
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
  return status === 0
}

const results = await Promise.all(steps.map(([name, command]) => runStep(name, command)))
process.exitCode = results.every((isOk) => isOk) ? 0 : 1
