import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { findOutdatedPackages, type Lockfile } from './checks/installed-packages.ts'
import { KeptResults, keptFolder, keyOf } from './checks/kept-results.ts'
import { hashFiles } from './checks/repository-files.ts'

// npm run check             checks what has changed since it passed
// npm run check -- --fresh  checks everything

/** A static check, which needs no database. Steps run in parallel. */
interface Step {
  name: string
  command: readonly string[]
  /** The files that the step reads. It passes without being run if they had the same content when it passed before. */
  reads: RegExp
  /** Whether the command takes the files to check: those with a content that has not passed before. */
  byFile?: true
  /** Whether the output of a command that passed is printed: it advises what could be better. */
  isTold?: true
  /** Returns the faults in the output of a command that failed; without it, all of the output. */
  findFaults?: (output: string) => string
}

/** Each checker computes most types again. With two processors, one checker takes half the time of the default four. */
const checkers = String(Math.max(1, Math.floor(availableParallelism() / 2)))

/**
 * Matches errors about types that the compiler infers, but cannot write into a declaration. They do
 * not matter here, because nothing reads the declarations.
 */
const declarationError = /error TS(?:40\d\d|410[0-3]|2527|2742|2883|7056):/

/**
 * Checks the types of a project. The compiler also writes declarations: it checks the importers of a
 * changed file again only if the declarations of the file changed, and it can compare only written ones.
 */
function checkTypes(name: string, project: string, reads: RegExp): Step {
  const folder = `${keptFolder}/${name.replaceAll(' ', '-')}`
  const keeping = ['--tsBuildInfoFile', `${folder}/tsbuildinfo`, '--outDir', folder, '--rootDir', '.']
  const declarations = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--removeComments']
  return {
    name,
    command: ['tsc', '--project', project, '--checkers', checkers, ...keeping, ...declarations],
    reads,
    // Lines with a further indent explain the error above them.
    findFaults: (output) =>
      output
        .split(/\n(?! )/)
        .filter((error) => error !== '' && !declarationError.test(error))
        .join('\n'),
  }
}

const steps: readonly Step[] = [
  checkTypes('types', '.', /\.(?:tsx?|json)$/),
  checkTypes('types of browser packages', 'tsconfig.browser.json', /^packages\/.*\.(?:ts|json)$/),
  checkTypes('types of the web client', 'apps/web', /^(?:apps\/web|packages)\/.*\.(?:tsx?|json)$/),
  checkTypes('types of its tests', 'apps/web/tsconfig.test.json', /^(?:apps|packages)\/.*\.(?:tsx?|json)$/),
  {
    name: 'format and lint',
    command: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched'],
    reads: /\.(?:tsx?|m?js|json|css|html)$/,
    byFile: true,
  },
  { name: 'rules of the house', command: ['node', 'scripts/checks/tidy.ts'], reads: /./, isTold: true },
  {
    name: 'dead code',
    command: [
      ...['knip', '--config', 'scripts/checks/knip.ts', '--no-progress', '--treat-config-hints-as-errors'],
      ...['--cache', '--cache-location', `${keptFolder}/knip`],
    ],
    reads: /^(?:apps|packages|scripts)\/.*\.(?:tsx?|js|json|css|html)$/,
  },
  {
    name: 'regular expressions',
    command: ['node', 'scripts/checks/check-patterns.ts'],
    reads: /^(?:apps|packages|scripts)\/.*\.tsx?$/,
  },
  {
    name: 'generated files',
    command: ['node', 'scripts/generate/write-documents.ts', '--check'],
    reads: /^(?:apps\/server|docs|packages|scripts)\//,
  },
  {
    name: 'generated texts',
    command: ['node', 'packages/texts/scripts/write-texts.ts', '--check'],
    reads: /^packages\/texts\//,
  },
  {
    name: 'generated texts of the web client',
    command: ['node', 'apps/web/scripts/compile-messages.ts', '--check'],
    reads: /^(?:apps\/web|packages\/texts)\//,
  },
]

/** Files that every result depends on: settings and versions of the tools. */
const settings = /^(?:[\w.-]+\.json|\.editorconfig|\.gitignore|\w+\/\w+\/(?:package|tsconfig[\w.]*)\.json)$/

const env = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` }

const installedPath = 'node_modules/.package-lock.json'
const installed = existsSync(installedPath) ? readFileSync(installedPath, 'utf8') : '{ "packages": {} }'
const outdated = findOutdatedPackages(
  JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile,
  JSON.parse(installed) as Lockfile,
)
if (outdated.length > 0) {
  process.stderr.write(`Not installed as in package-lock.json: ${outdated.join(', ')}. Run: npm ci\n`)
  process.exit(1)
}
if (process.argv.includes('--fresh')) rmSync(keptFolder, { recursive: true, force: true })
/** The contents that passed, by key. */
const passed = new KeptResults<true>('passed', { maxEntries: 20_000 })
process.exitCode = (await runSteps()) ? 0 : 1

/** Runs the steps that read something new, and returns whether all passed. */
async function runSteps(): Promise<boolean> {
  const files = hashFiles()
  const results = await Promise.all(
    steps.map(async (step) => {
      const tasks = listTasks(step, files).filter(({ key }) => passed.find(key) === undefined)
      const isOk = await runStep(step, tasks)
      return { step, tasks, isOk }
    }),
  )
  // A file that has changed since then may have been checked with the old or the new content.
  const filesNow = hashFiles()
  for (const { step, tasks } of results.filter(({ isOk }) => isOk)) {
    const keysNow = new Set(listTasks(step, filesNow).map(({ key }) => key))
    for (const { key } of tasks) if (keysNow.has(key)) passed.set(key, true)
  }
  passed.save()
  return results.every(({ isOk }) => isOk)
}

/** A part of a step: one file, or all files together. The key stands for all contents that matter. */
interface Task {
  key: string
  path?: string
}

function listTasks({ name, command, reads, byFile }: Step, files: ReadonlyMap<string, string>): Task[] {
  const list = (pattern: RegExp) => [...files].filter(([path]) => pattern.test(path))
  const environment = keyOf(name, ...command, process.version, installed, ...list(settings).flat())
  if (!byFile) return [{ key: keyOf(environment, ...list(reads).flat()) }]
  return list(reads).map(([path, hash]) => ({ key: keyOf(environment, path, hash), path }))
}

/** Runs a step unless it has no tasks, and returns whether it passed. Its output is printed as a whole when it ends. */
async function runStep(
  { name, command, findFaults, isTold }: Step,
  tasks: readonly Task[],
): Promise<boolean> {
  if (tasks.length === 0) {
    process.stdout.write(`ok     ${name} (unchanged)\n`)
    return true
  }
  const started = performance.now()
  const [program = '', ...args] = [...command, ...tasks.flatMap(({ path }) => path ?? [])]
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (text) => (output += text))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const faults = status === 0 ? '' : (findFaults?.(output) ?? output)
  const isOk = status === 0 || (status !== null && output !== '' && faults === '')
  if (!isOk) process.stdout.write(`${faults || output}\n`)
  else if (isTold) process.stdout.write(output)
  process.stdout.write(`${isOk ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
  return isOk
}
