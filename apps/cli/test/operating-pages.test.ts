import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { settings } from '@oxbow/server'
import {
  createTestDatabase,
  freePort,
  type NodeProcess,
  startNodeProcess,
  type TestDatabase,
  urlOf,
} from '@oxbow/testkit'
import { type CommandEnvironment, environmentFor, runOxbow, runOxbowWithInput } from './run-oxbow.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const pages = [...globSync('docs/operating/*.md', { cwd: root }).sort(), 'docs/operating.md']
const readPage = (page: string) => readFileSync(join(root, page), 'utf8')

/** Beginnings of commands that this test does not run, with the reason for each. */
const notRun: Record<string, string> = {
  pgbackrest: 'needs a PostgreSQL whose files this user owns',
  'npx oxbow import': 'needs the archive of another system; other tests convert ones',
  'npx oxbow organization import /var/tmp/our-team': 'imports what the command before would have written',
  'npx oxbow serve': 'runs until it is stopped; other tests start nodes',
  'npx oxbow user set-password --email iris@example.com    ': 'asks at a terminal',
}
/** Programs that the commands on these pages may use. */
const runnable = /^(npx oxbow |curl |psql |openssl |dropdb |export )/
/** The backup that the pages use as an example. */
const exampleBackup = 'oxbow-20261116T190000Z.backup'

/** Variables that are not settings of a node. The last one is an example of a typo. */
const otherVariables = ['OXBOW_CONFIG', 'OXBOW_BACKUP_PASSPHRASE', 'OXBOW_PROT']

const folder = mkdtempSync(join(tmpdir(), 'oxbow-pages-'))
const socket = join(folder, 'npx.socket')

/**
 * Stands for `npx oxbow` in the shell. It passes the command to this test, because `runOxbow` starts fewer processes.
 * The input is passed if it is a file.
 */
const npx = `
const { fstatSync, readFileSync } = require('node:fs')
const [, , , ...args] = process.argv
const input = fstatSync(0).isFile() ? readFileSync(0, 'utf8') : ''
const names = /^(PATH|USER|HOME|DATABASE_URL|OXBOW_\\w+)$/
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)))
const options = { socketPath: ${JSON.stringify(socket)}, method: 'POST' }
const request = require('node:http').request(options, async (response) => {
  const { status, stdout, stderr } = JSON.parse(Buffer.concat(await response.toArray()))
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = status ?? 1
})
request.end(JSON.stringify({ env, args, input }))
`

/** Runs the commands of `npx`. */
const commandServer = createServer(async (request, response) => {
  const { env, args, input } = (await json(request)) as {
    env: Record<string, string>
    args: string[]
    input: string
  }
  response.end(JSON.stringify(await runOxbowWithInput({ env }, input, ...args)))
})

let database: TestDatabase
let environment: CommandEnvironment
let node: NodeProcess
let metricsPort: number

before(async () => {
  database = await createTestDatabase()
  await database.query('delete from server')
  metricsPort = await freePort()
  const { env } = environmentFor(database.url)
  await new Promise<void>((resolve) => commandServer.listen(socket, resolve))
  writeFileSync(join(folder, 'npx.cjs'), npx)
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'npx.cjs')}' "$@"\n`,
  )
  chmodSync(join(folder, 'npx'), 0o755)
  writeFileSync(join(folder, 'password.txt'), 'tulips and a wheelbarrow\n')
  environment = { env: { ...env, PATH: `${folder}:${env.PATH}` } }
  const owner = ['--owner-email', 'iris@example.com', '--owner-name', 'Iris']
  const created = await runOxbow(environment, 'organization', 'create', '--name', 'Our team', ...owner)
  assert.equal(created.status, 0, created.stderr)
  const backup = await runOxbow(environment, 'backup', join(folder, exampleBackup))
  assert.equal(backup.status, 0, backup.stderr)
  node = await startNodeProcess({
    database_url: database.url,
    env: {
      OXBOW_DATA_DIR: String(env.OXBOW_DATA_DIR),
      OXBOW_SECRET: '',
      OXBOW_METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
    },
  })
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  commandServer.close()
})

/** Commands that were already run, without their comments. They are not run again. */
const done = new Set<string>()
const withoutComment = (line: string): string => line.replace(/\s+#.*$/, '')

for (const page of pages) {
  const blocks = listBlocks(readPage(page)).map((block) => block.filter(isRun))
  if (blocks.every((block) => block.length === 0)) continue
  test(`the commands of ${page} succeed as they are written there`, async () => {
    for (const block of blocks) {
      // In a block with `export`, later lines depend on it.
      const commands = block.some((line) => line.startsWith('export '))
        ? block
        : block.filter((line) => !done.has(withoutComment(line)))
      for (const line of commands) done.add(withoutComment(line))
      if (commands.length > 0) await runBlock(commands)
    }
  })
}

test('pages for operators name only metrics that a node exports', async () => {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  for (const page of pages)
    for (const [name] of readPage(page).matchAll(
      /\boxbow_(?:http|database|events|rate|scheduled|outward|node)_\w+/g,
    ))
      assert.ok(known.has(name.replace(/_(count|sum|bucket)$/, '')), `${page} names the metric ${name}`)
})

test('pages for operators name only settings and pages that exist', () => {
  const variables = new Set<string>([...otherVariables, ...Object.values(settings).map(({ env }) => env)])
  for (const page of pages) {
    const text = readPage(page)
    for (const [name] of text.matchAll(/\bOXBOW_[A-Z0-9_]*[A-Z0-9]\b(?!_?…)/g))
      assert.ok(variables.has(name), `${page} names ${name}`)
    for (const [, target = '', anchor] of text.matchAll(/\]\(((?!https?:)[^)#]*)(#[^)]+)?\)/g)) {
      const file = target === '' ? page : join(dirname(page), target)
      const linked = globSync(file, { cwd: root })
      assert.equal(linked.length, 1, `${page} links to ${target}`)
      if (anchor) assert.ok(listAnchors(readPage(file)).includes(anchor), `${page} links to ${file}${anchor}`)
    }
  }
})

test('the index of the operator pages links to each of them', () => {
  const index = readPage('docs/operating/README.md')
  for (const page of globSync('docs/operating/*.md', { cwd: root }).map((path) => basename(path)))
    if (page !== 'README.md') assert.ok(index.includes(`](${page})`), page)
})

/** Returns the lines of each block of shell commands, including blocks inside lists. */
function listBlocks(text: string): string[][] {
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, indent = '', body = '']) =>
    body
      .split('\n')
      .map((line) => line.slice(indent.length))
      .filter((line) => line !== ''),
  )
}

/** Returns whether a command is run. Throws if it is neither runnable nor listed in `notRun`. */
function isRun(line: string): boolean {
  const command = line.replace(/^(\w+=\S+ )+/, '')
  if (Object.keys(notRun).some((beginning) => command.startsWith(beginning))) return false
  assert.match(command, runnable, 'say in this test whether this command can be run')
  return true
}

/**
 * Runs commands in one shell, after replacing example addresses, directories and names by those of
 * this test.
 */
async function runBlock(lines: string[]): Promise<void> {
  const { env } = environment
  const name = `oxbow_test_${randomBytes(6).toString('hex')}`
  const target = join(folder, name)
  // `oxbow serve` would create the directory.
  mkdirSync(target)
  const secret = readFileSync(join(String(env.OXBOW_DATA_DIR), 'secret'), 'utf8').trim()
  const script = lines
    .join('\n')
    .replaceAll('/var/backups/oxbow', folder)
    .replaceAll('127.0.0.1:8484', new URL(node.url).host)
    .replaceAll('127.0.0.1:9484', `127.0.0.1:${metricsPort}`)
    .replaceAll('OXBOW_SECRET=…', `OXBOW_SECRET=${secret}`)
    .replaceAll('postgres:///oxbow_try', urlOf(name))
    .replaceAll('dropdb oxbow_try', `psql '${urlOf('postgres')}' -c 'drop database ${name}'`)
    .replaceAll('/tmp/oxbow-try', target)
  try {
    await promisify(execFile)('bash', ['--norc', '-euc', script], { cwd: folder, env, maxBuffer: 64_000_000 })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    assert.fail(`${script}\n${stdout}${stderr}`)
  } finally {
    await promisify(execFile)('psql', [urlOf('postgres'), '-c', `drop database if exists ${name}`], { env })
  }
}

/** Returns the anchors of headings, as GitHub generates them. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')}`,
  )
}
