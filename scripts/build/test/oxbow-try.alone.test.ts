import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { chromiumFlags, eventually, findChromium, freePort, request } from '@oxbow/testkit'
import { type Browser, chromium } from 'playwright-core'
import { buildOxbow } from '../build-oxbow.ts'
import { buildTry } from '../build-try.ts'
import { webFolder } from './check-server.ts'
import { type EmptyFolder, installInto, makeEmptyFolder, packFolders } from './install-packages.ts'
import { readPss } from './memory.ts'

const run = promisify(execFile)
/**
 * Maximum memory of the node and PostgreSQL, in bytes, once the thread that rated the password has ended. The test and other processes run the same
 * Node, so that its 60 MB of program pages count only in part. Without them it would be exceeded.
 */
const maxMemory = 220_000_000
/** Maximum size on disk of the packages, the data and Node. Node takes 127 MB of it, PostgreSQL 63 MB. */
const maxDisk = 260_000_000

let folder: EmptyFolder
let browser: Browser

before(async () => {
  folder = await makeEmptyFolder()
  // PostgreSQL runs as another account than root, and that account must be able to enter the
  // folder.
  chmodSync(folder.path, 0o755)
  const tarballs = join(folder.path, 'tarballs')
  mkdirSync(tarballs)
  await buildOxbow(join(folder.path, 'build/oxbow'), webFolder)
  buildTry(join(folder.path, 'build/oxbow-try'))
  const built = ['oxbow', 'oxbow-try'].map((name) => join(folder.path, 'build', name))
  const packed = await packFolders(built, tarballs)
  mkdirSync(join(folder.path, 'installed'))
  await installInto(join(folder.path, 'installed'), ...packed)
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumFlags],
  })
})
after(async () => {
  await browser.close()
  await folder[Symbol.asyncDispose]()
})

test('one command in an empty directory starts a server that shows a message in Chromium', async () => {
  const began = performance.now()
  await using running = await startTry('first')
  const link = await running.waitFor(/Create the first account: (\S+)/)
  const answeredMs = performance.now() - began
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(link)
  await page.fill('[name=full_name]', 'Iris Gardener')
  await page.fill('[name=email]', 'iris@garden.example')
  await page.fill('[name=password]', 'nine lilac wheelbarrows sing')
  await page.click('button')
  await page.waitForSelector('.App')
  const shownMs = performance.now() - began
  // The first account is signed in, and its message reaches the page.
  const sent = await page.evaluate(async () => {
    const form = new URLSearchParams({
      type: 'stream',
      to: 'general',
      topic: 'roses',
      content: 'Pruned them',
    })
    const response = await fetch('/api/v1/messages', { method: 'POST', body: form })
    return response.json()
  })
  assert.equal(sent.result, 'success', JSON.stringify(sent))
  await page.goto(`${running.url}/#narrow/in/home`)
  await page.waitForSelector('text=Pruned them')
  const seenMs = performance.now() - began

  // The link works only once; after a second start, the page offers to sign in.
  assert.equal((await fetch(link)).status, 404)
  const measure = () =>
    listProcesses(running.process.pid as number).reduce(
      (sum, pid) => sum + (readUnlessEnded(() => readPss(pid)) ?? 0),
      0,
    )
  const atWork = measure()
  // The thread that rated the password ends after half a minute.
  const idle = await eventually(() => {
    const memory = measure()
    return memory <= maxMemory ? memory : undefined
  })
  const disk = diskOf(join(folder.path, 'installed'), running.directory, process.execPath)
  process.stdout.write(
    `oxbow try: ready after ${seconds(answeredMs)}, client after ${seconds(shownMs)}, message after ${seconds(seenMs)}; ` +
      `memory ${megabytes(atWork)}, idle ${megabytes(idle)}; disk with Node ${megabytes(disk)}\n`,
  )
  assert.ok(disk <= maxDisk, `${disk} bytes on disk`)
  await page.close()
})

test('Ctrl-C stops the node and then PostgreSQL, and the next start has the same data', async () => {
  const link = await (async () => {
    await using running = await startTry('stopped')
    const found = await running.waitFor(/Create the first account: (\S+)/)
    const pids = listProcesses(running.process.pid as number)
    assert.ok(pids.length > 2)
    running.process.kill('SIGINT')
    assert.equal(await running.exited, 0, running.output())
    assert.deepEqual(pids.filter(isRunning), [])
    assert.match(
      readFileSync(join(running.directory, 'postgres.log'), 'utf8'),
      /database system is shut down/,
    )
    return new URL(found)
  })()
  await using again = await startTry('stopped')
  await again.waitFor(/Create the first account/)
  assert.equal((await fetch(again.url + link.pathname)).status, 200)
})

test('PostgreSQL ends when the command is killed, and the next start recovers', async () => {
  const directory = 'killed'
  const running = await startTry(directory)
  await running.waitFor(/Create the first account/)
  const pids = listProcesses(running.process.pid as number)
  running.process.kill('SIGKILL')
  await running.exited
  await eventually(() => !pids.some(isRunning))
  await using again = await startTry(directory)
  await again.waitFor(/Create the first account/)
  assert.equal((await request(again.url, { path: '/ready' })).status, 200)
})

test('a port in use is reported, and PostgreSQL is stopped', async () => {
  const port = await freePort()
  const taken = createServer().listen(port, '127.0.0.1')
  await using running = await startTry('taken', port)
  assert.equal(await running.exited, 1)
  assert.match(running.output(), new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use`, 'm'))
  assert.match(readFileSync(join(running.directory, 'postgres.log'), 'utf8'), /database system is shut down/)
  taken.close()
})

test('PostgreSQL listens on no port and never runs as root', async () => {
  await using running = await startTry('guarded')
  await running.waitFor(/Create the first account/)
  const [postgres] = listProcesses(running.process.pid as number).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('listen_addresses='),
  )
  const status = readFileSync(`/proc/${postgres}/status`, 'utf8')
  assert.ok(!/^Uid:\s+0\s/m.test(status), status)
  assert.equal(lstatSync(join(running.directory, 'run')).mode & 0o777, 0o700)
  const { stdout } = await run('ss', ['-ltnp']).catch(() => ({ stdout: '' }))
  assert.ok(!stdout.includes(`pid=${postgres},`))
})

test('a user who is not root can run the command in their own directory', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can start processes of other users')
  const nobody = { uid: 65534, gid: 65534 }
  await using running = await startTry('of-nobody', undefined, nobody)
  await running.waitFor(/Create the first account/)
  const owners = listProcesses(running.process.pid as number).map(
    (pid) => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
  )
  assert.deepEqual([...new Set(owners)], ['65534'])
})

interface Running extends AsyncDisposable {
  url: string
  directory: string
  process: ChildProcess
  exited: Promise<number | null>
  output(): string
  /** Waits for a line that matches, and returns its first group. */
  waitFor(line: RegExp): Promise<string>
}

async function startTry(
  name: string,
  givenPort?: number,
  account: { uid?: number; gid?: number } = {},
): Promise<Running> {
  const port = givenPort ?? (await freePort())
  const home = join(folder.path, name)
  mkdirSync(home, { recursive: true })
  let node = process.execPath
  if (account.uid) {
    await run('chown', [`${account.uid}:${account.gid}`, home])
    // Other users may be unable to enter the folder of this Node, for instance below /root.
    node = join(home, 'node')
    copyFileSync(process.execPath, node)
  }
  const directory = join(home, 'oxbow-data')
  const program = join(folder.path, 'installed/node_modules/.bin/oxbow-try')
  const args = [program, '--directory', directory, '--port', String(port)]
  const child = spawn(node, args, {
    ...account,
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return {
    url: `http://localhost:${port}`,
    directory,
    process: child,
    exited,
    output: () => output,
    waitFor: (line) =>
      eventually(() => {
        if (child.exitCode !== null) throw new Error(`it ended: ${output}`)
        const found = line.exec(output)
        return found ? (found[1] ?? found[0]) : undefined
      }, 180_000),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGINT')
      await exited
    },
  }
}

/** Reads about a process, and returns undefined if the process has ended. */
function readUnlessEnded<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH'].includes(code)) return undefined
    throw error
  }
}

/** Lists the process ids in a process tree, the root first. */
function listProcesses(root: number): number[] {
  const children = readUnlessEnded(() => readFileSync(`/proc/${root}/task/${root}/children`, 'utf8')) ?? ''
  return [
    root,
    ...children
      .trim()
      .split(' ')
      .filter(Boolean)
      .flatMap((pid) => listProcesses(Number(pid))),
  ]
}

function isRunning(pid: number): boolean {
  const status = readUnlessEnded(() => readFileSync(`/proc/${pid}/status`, 'utf8'))
  return status !== undefined && !/^State:\s+Z/m.test(status)
}

/** Returns the bytes that files take on disk. A file with several hard links counts once. */
function diskOf(...paths: string[]): number {
  const files = paths.flatMap((path) =>
    lstatSync(path).isDirectory() ? globSync('**/*', { cwd: path }).map((file) => join(path, file)) : [path],
  )
  // Older versions of npm also install packages for other systems.
  const ownFiles = files.filter((file) => !/\/sharp-wasm32\/|musl/.test(file))
  const inodes = new Map(ownFiles.map((file) => [lstatSync(file).ino, lstatSync(file).blocks * 512]))
  return [...inodes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
