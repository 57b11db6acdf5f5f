import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { buildOxbow } from '../build-oxbow.ts'
import { type BootedContainer, bootContainer, installDebian } from './booted-container.ts'
import { webFolder } from './check-server.ts'
import { type EmptyFolder, makeEmptyFolder } from './install-packages.ts'

// Installs the Debian package on a Debian that was booted with systemd, as docs/installing.md says,
// and uses it until it is purged. The tests build on each other.

const run = promisify(execFile)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const programs = ['debootstrap', 'systemd-nspawn', 'nsenter', 'dpkg-deb', 'strip']
const skip = findReasonToSkip()

function findReasonToSkip(): string | false {
  if (!bySize({ gate: false, long: true })) return 'part of the long lane'
  if (process.getuid?.() !== 0) return 'only root can boot a container'
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: process.env }).status !== 0,
  )
  return missing.length > 0 && `not installed: ${missing.join(', ')}`
}

let folder: EmptyFolder
let root: string
let container: BootedContainer
let owner: { email: string; api_key: string }
let port = 8484

before(async () => {
  if (skip) return
  folder = await makeEmptyFolder()
  // Services of other users start below this folder.
  chmodSync(folder.path, 0o755)
  root = join(folder.path, 'root')
  const built = join(folder.path, 'oxbow')
  await buildOxbow(built, webFolder)
  await run('bash', ['packaging/build-deb.sh', folder.path, built], { maxBuffer: 64 * 1024 * 1024 })
  await installDebian(root, ['adduser', 'curl', 'libstdc++6'], ['postgresql'])
  copyFileSync(await findPackage(), join(root, 'root/oxbow.deb'))
  copyFileSync(await makeNextRelease(), join(root, 'root/oxbow-next.deb'))
  container = await bootContainer(root)
})
after(async () => {
  await container?.[Symbol.asyncDispose]()
  await folder?.[Symbol.asyncDispose]()
})

test('one command installs the package and PostgreSQL, and the server is ready', { skip }, async () => {
  await install('postgresql', '/root/oxbow.deb')
  const args = ['--owner-email', 'me@example.com', '--owner-name', 'My Name', '--json']
  owner = JSON.parse(await container.run('oxbow', 'organization', 'create', '--name', 'Our team', ...args))
  await becomesReady()
  await sendNote('Pruned the roses')
  assert.deepEqual(await listNotes(), ['Pruned the roses'])
})

test('the service runs without root, and starts with the system', { skip }, async () => {
  const user = await container.run('stat', '-c', '%U', `/proc/${await showService('MainPID')}`)
  assert.equal(user.trim(), 'oxbow')
  await container[Symbol.asyncDispose]()
  container = await bootContainer(root)
  await becomesReady()
  assert.deepEqual(await listNotes(), ['Pruned the roses'])
})

test('the service survives that PostgreSQL stops, and is ready when it is back', { skip }, async () => {
  const pid = await showService('MainPID')
  await container.run('systemctl', 'stop', 'postgresql')
  await eventually(async () => (await statusOf('/ready')) === '503')
  assert.equal(await statusOf('/health'), '200')
  await container.run('systemctl', 'start', 'postgresql')
  await becomesReady()
  await sendNote('Watered the lilacs')
  assert.equal(await showService('MainPID'), pid)
})

test('a change of PostgreSQL packages leaves a stopped service stopped', { skip }, async () => {
  const changePostgres = 'dpkg-trigger --no-await /usr/lib/postgresql && dpkg --triggers-only --pending'
  await container.run('systemctl', 'stop', 'oxbow')
  await container.run('sh', '-c', changePostgres)
  assert.equal(await showService('ActiveState'), 'inactive')
  // Nobody may sign in to PostgreSQL without a password, so that the database cannot be checked.
  const access =
    'f=$(ls /etc/postgresql/*/main/pg_hba.conf); cp $f /root/hba; echo "local all all reject" > $f'
  await container.run('sh', '-c', `${access}; systemctl reload postgresql; sleep 1; ${changePostgres}`)
  await container.run(
    'sh',
    '-c',
    'cp /root/hba $(ls /etc/postgresql/*/main/pg_hba.conf); systemctl reload postgresql',
  )
  await container.run('systemctl', 'start', 'oxbow')
  await becomesReady()
})

test('an upgrade restarts the service and keeps settings and data', { skip }, async () => {
  port = 8485
  appendFileSync(join(root, 'etc/oxbow/oxbow.env'), `OXBOW_PORT=${port}\n`)
  const pid = await showService('MainPID')
  await install('/root/oxbow-next.deb')
  assert.match(await container.run('dpkg', '--status', 'oxbow'), /^Version: .*\+next$/m)
  await becomesReady()
  assert.notEqual(await showService('MainPID'), pid)
  assert.deepEqual(await listNotes(), ['Pruned the roses', 'Watered the lilacs'])
})

test('removing the package stops the service and keeps settings and data', { skip }, async () => {
  await apt('remove', '-y', 'oxbow')
  assert.equal(await statusOf('/health'), '000')
  assert.ok(existsSync(join(root, 'etc/oxbow/oxbow.env')))
  assert.ok(existsSync(join(root, 'var/lib/oxbow/secret')))
})

test('purging the package keeps the data, which the next installation uses', { skip }, async () => {
  const output = await apt('purge', '-y', 'oxbow')
  assert.match(output, /the database "oxbow" and \/var\/lib\/oxbow are kept/)
  assert.ok(!existsSync(join(root, 'etc/oxbow')))
  port = 8484
  await install('/root/oxbow.deb')
  await becomesReady()
  assert.deepEqual(await listNotes(), ['Pruned the roses', 'Watered the lilacs'])
})

test('a PostgreSQL that is installed later gets the database', { skip }, async () => {
  await apt('purge', '-y', 'oxbow', 'postgresql*')
  await container.run('rm', '-rf', '/var/lib/postgresql', '/etc/postgresql')
  assert.match(await install('/root/oxbow.deb'), /PostgreSQL does not run here/)
  await install('postgresql')
  await becomesReady()
})

/** Runs apt-get and returns all that it prints. */
const apt = (...args: string[]) => container.run('sh', '-c', 'exec apt-get "$@" 2>&1', 'sh', ...args)

const install = (...packages: string[]) => apt('install', '-y', '--no-install-recommends', ...packages)

async function findPackage(): Promise<string> {
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim()
  return join(folder.path, `oxbow_${version}_${architecture}.deb`)
}

/** Packs the same content with a higher version. Returns the path of the package. */
async function makeNextRelease(): Promise<string> {
  const [content, target] = [join(folder.path, 'next'), join(folder.path, 'next.deb')]
  await run('dpkg-deb', ['-R', await findPackage(), content])
  const control = join(content, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*/m, '$&+next'))
  await run('dpkg-deb', ['-Zgzip', '-z1', '-b', content, target])
  return target
}

const showService = async (property: string) =>
  (await container.run('systemctl', 'show', 'oxbow', '--value', '-p', property)).trim()

/** Returns the status of a response as text. It is `000` if nothing listens. */
const statusOf = async (path: string) => {
  const print = `curl -s -o /dev/null -w '%{http_code}' http://localhost:${port}${path} || true`
  return container.run('sh', '-c', print)
}

const becomesReady = () => eventually(async () => (await statusOf('/ready')) === '200')

async function request(path: string, ...options: string[]): Promise<Record<string, unknown>> {
  const as = ['-sS', '-u', `${owner.email}:${owner.api_key}`]
  return JSON.parse(await container.run('curl', ...as, ...options, `http://localhost:${port}/api/v1${path}`))
}

async function sendNote(content: string): Promise<void> {
  const form = { type: 'private', to: '["me@example.com"]', content }
  const fields = Object.entries(form).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
  const sent = await request('/messages', ...fields)
  assert.equal(sent.result, 'success', JSON.stringify(sent))
}

/** Returns the texts of all messages that the owner sent. */
async function listNotes(): Promise<string[]> {
  const query = { anchor: 'newest', num_before: '10', num_after: '0', apply_markdown: 'false' }
  const narrow = JSON.stringify([{ operator: 'sender', operand: owner.email }])
  const found = await request(`/messages?${new URLSearchParams({ ...query, narrow })}`)
  return (found.messages as { content: string }[]).map(({ content }) => content)
}
