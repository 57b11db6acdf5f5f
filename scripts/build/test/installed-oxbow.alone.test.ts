import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createTestDatabase, eventually, request, type TestDatabase } from '@oxbow/testkit'
import { buildOxbow } from '../build-oxbow.ts'
import { checkServer, webFolder } from './check-server.ts'
import { type EmptyFolder, installInto, makeEmptyFolder, packFolder } from './install-packages.ts'
import { readPss } from './memory.ts'

const run = promisify(execFile)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const maxIdleBytes = 110_000_000

let folder: EmptyFolder
let database: TestDatabase
let env: NodeJS.ProcessEnv
let owner: { email: string; api_key: string }
let bot: { email: string; api_key: string }
const installed = () => join(folder.path, 'node_modules/oxbow')

/** Runs the installed command with `env`, which has only PATH in common with this test's environment. */
const oxbow = (...args: string[]) =>
  run(process.execPath, [join(installed(), 'bin/oxbow.js'), ...args], { cwd: folder.path, env })

before(async () => {
  folder = await makeEmptyFolder()
  const built = join(folder.path, 'build')
  await buildOxbow(built, webFolder)
  const tarball = await packFolder(built, folder.path)
  await installInto(folder.path, tarball)
  database = await createTestDatabase()
  await database.query('delete from server')
  env = {
    PATH: process.env.PATH,
    HOME: folder.path,
    DATABASE_URL: database.url,
    OXBOW_DATA_DIR: join(folder.path, 'data'),
    OXBOW_OUTWARD_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
})
after(async () => {
  await database[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

test('the package includes licences of all bundled software, a bill of materials and no sources', () => {
  const licenses = readFileSync(join(installed(), 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  const bom = JSON.parse(readFileSync(join(installed(), 'bom.cdx.json'), 'utf8'))
  assert.equal(bom.metadata.component.version, version)
  const names = bom.components.map(({ name }: { name: string }) => name)
  for (const name of ['fastify', 'zod', 'pg', 'preact', 'katex', 'undici']) {
    assert.ok(names.includes(name), name)
    assert.match(licenses, new RegExp(`^${name} \\d`, 'm'))
  }
  assert.ok(bom.components.every(({ hashes }: { hashes?: unknown[] }) => hashes?.length === 1))
  assert.ok(existsSync(join(installed(), 'dist/main.js.map')))
  assert.ok(!existsSync(join(installed(), 'apps')))
})

test('the installed command prints the version and sets up an organization and a bot', async () => {
  assert.equal((await oxbow('--version')).stdout.trim(), version)
  const who = ['--owner-email', 'me@example.com', '--owner-name', 'My Name', '--json']
  owner = JSON.parse((await oxbow('organization', 'create', '--name', 'Our team', ...who)).stdout)
  const about = ['--name', 'Herald', '--short-name', 'herald', '--type', 'incoming-webhook']
  bot = JSON.parse((await oxbow('bot', 'create', ...about, '--owner', 'me@example.com', '--json')).stdout)
  assert.match((await oxbow('integration', 'list')).stdout, /^github +GitHub/m)
})

test('the installed server, started in an empty folder, serves messages, pictures, pages and webhooks', async () => {
  await using served = await serve()
  await checkServer(served.url, owner, bot)
})

test('the installed server fetches pages that messages link to', async () => {
  let wasFetched = false
  const site = createServer((_request, response) => {
    wasFetched = true
    response.setHeader('content-type', 'text/html').end('<title>Roses</title>')
  }).listen(0, '127.0.0.1')
  try {
    await using served = await serve()
    const post = async (method: string, path: string, form: Record<string, string>) => {
      const { status, text } = await request(served.url, { method, path, credentials: owner, form })
      assert.equal(status, 200, text)
    }
    const form = { inline_url_embed_preview: 'true' }
    await post('PATCH', '/api/v1/realm', form)
    const link = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    const message = { type: 'stream', to: 'garden', topic: 'links', content: link }
    await post('POST', '/api/v1/messages', message)
    await eventually(() => wasFetched)
  } finally {
    site.close()
  }
})

test('the installed server sends traces, once the packages that it names were installed', async () => {
  let received = ''
  const collector = createServer(async (request, response) => {
    for await (const chunk of request) received += chunk
    response.end()
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const refusal = await serve(variables).then(
    () => '',
    (error) => String(error),
  )
  const [, line = ''] = /are not installed.*npm install (@opentelemetry\/api[^\n]*)/s.exec(refusal) ?? []
  const named = line.split(' ')
  const { peerDependencies } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
  assert.deepEqual(
    named,
    Object.entries(peerDependencies).map((peer) => peer.join('@')),
  )
  await installInto(folder.path, ...named)
  try {
    await using served = await serve(variables)
    await request(served.url, { path: '/api/v1/users', credentials: owner })
    await eventually(() => received.includes('GET /api/v1/users'))
  } finally {
    collector.close()
    collector.closeAllConnections()
  }
})

test('an idle installed node uses at most 110 MB', async () => {
  // Takes the lowest of several starts, because V8's memory depends on when it collects garbage
  // while a node starts.
  let minBytes = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && minBytes >= maxIdleBytes; tries++) {
    await using served = await serve()
    for (let count = 0; count < 50; count++)
      await request(served.url, { path: '/api/v1/users', credentials: owner })
    minBytes = Math.min(minBytes, readPss(served.process.pid as number))
    served.process.kill('SIGINT')
    await served.exited
  }
  process.stdout.write(`memory of an idle installed node: ${Math.round(minBytes / 1e6)} MB\n`)
  assert.ok(minBytes > 10_000_000 && minBytes <= maxIdleBytes, `${minBytes} bytes`)
})

interface Served extends AsyncDisposable {
  url: string
  process: ChildProcess
  exited: Promise<unknown>
}

async function serve(variables: NodeJS.ProcessEnv = {}): Promise<Served> {
  const args = [join(installed(), 'bin/oxbow.js'), 'serve', '--port', '0']
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk) => (output += chunk))
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it did not start: ${output}`)
    return /running at (http:\S+)/.exec(output)?.[1]
  })
  return {
    url,
    process: child,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
