import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually, freePort, openQueue, type Person, startWorld, type World } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

const run = promisify(execFile)
const host = 'chat.example.com'
/** Proxies are installed only where the long lane runs. */
const isLong = bySize({ gate: false, long: true })
/** Size of the upload. In the long lane it exceeds every proxy's default limit for bodies. */
const uploadMegabytes = bySize({ gate: 8, long: 1_000 })

const folder = mkdtempSync(join(tmpdir(), 'oxbow-proxies-'))
const file = (name: string) => join(folder, name)
let world: World
let iris: Person
let port: number

interface Proxy {
  name: string
  command: string
  args: string[]
  /**
   * Returns the configuration files of `packaging/proxies`, with the addresses and certificates of
   * this test.
   */
  files(node: string): Record<string, string>
}

const read = (name: string) => readFileSync(join('packaging/proxies', name), 'utf8')
const replace = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from), `packaging/proxies has no "${from}" any more`)
  return text.replaceAll(from, to)
}

const proxies: Proxy[] = [
  {
    name: 'Caddy',
    command: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', file('Caddyfile')],
    files: (node) => {
      const own = `{\n\tadmin off\n\thttps_port ${port}\n\tauto_https disable_redirects\n}\n`
      const certificate = `${host} {\n\ttls ${file('certificate.pem')} ${file('key.pem')}`
      const lines = replace(read('Caddyfile'), `${host} {`, certificate)
      return { Caddyfile: own + replace(lines, '127.0.0.1:8484', node) }
    },
  },
  {
    name: 'nginx',
    command: 'nginx',
    args: ['-p', folder, '-c', file('nginx.conf'), '-g', 'daemon off;'],
    files: (node) => {
      const listening = replace(read('nginx.conf'), 'listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      const certified = replace(listening, `/etc/ssl/${host}.pem`, file('certificate.pem'))
      const keyed = replace(certified, `/etc/ssl/${host}.key`, file('key.pem'))
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${file(name)};`,
      )
      const main = `pid ${file('nginx.pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n`
      return {
        'site.conf': replace(keyed, '127.0.0.1:8484', node),
        'nginx.conf': `${main}${folders.join('\n')}\ninclude ${file('site.conf')};\n}\n`,
      }
    },
  },
  {
    name: 'HAProxy',
    command: 'haproxy',
    args: ['-db', '-f', file('haproxy.cfg')],
    files: (node) => {
      const bound = replace(read('haproxy.cfg'), 'bind :443', `bind 127.0.0.1:${port}`)
      const certified = replace(bound, `/etc/ssl/${host}.both.pem`, file('both.pem'))
      return { 'haproxy.cfg': replace(certified, '127.0.0.1:8484', node) }
    },
  },
]

before(async () => {
  if (!isLong) return
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('key.pem')]
  await run('openssl', ['req', '-x509', ...key, '-out', file('certificate.pem'), '-days', '2', ...subject])
  writeFileSync(
    file('both.pem'),
    readFileSync(file('certificate.pem'), 'utf8') + readFileSync(file('key.pem'), 'utf8'),
  )
  writeFileSync(file('upload.bin'), '')
  truncateSync(file('upload.bin'), uploadMegabytes * 1_000_000)
  world = await startWorld({
    ownServer: true,
    config: {
      external_url: `https://${host}`,
      trusted_proxies: ['127.0.0.1'],
      max_upload_mib: 2_000,
      upload_mib_per_day: 0,
    },
  })
  iris = await world.person('iris')
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request through the proxy with curl, which verifies the proxy's certificate. */
function curl(path: string, ...options: string[]): ChildProcess & { text: Promise<string> } {
  const reach = ['--connect-to', `${host}:443:127.0.0.1:${port}`, '--cacert', file('certificate.pem')]
  const as = ['--user', `${iris.email}:${iris.api_key}`]
  const child = spawn('curl', ['-sS', '-N', ...reach, ...as, ...options, `https://${host}${path}`])
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  child.stderr.on('data', (chunk) => (text += chunk))
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(text)))
  return Object.assign(child, { text: ended })
}

for (const proxy of proxies) {
  test(`polls, event streams and large uploads pass through ${proxy.name} with TLS`, {
    skip: !isLong && 'part of the long lane',
  }, async () => {
    port = await freePort()
    const node = new URL(world.nodes.a.url).host
    for (const [name, text] of Object.entries(proxy.files(node))) writeFileSync(file(name), text)
    const child = spawn(proxy.command, proxy.args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk) => (output += chunk))
    const exited = new Promise((resolve) => child.on('exit', resolve))
    try {
      await eventually(async () => {
        assert.equal(child.exitCode, null, output)
        return (await curl('/api/v1/server_settings').text).includes('"result":"success"')
      }, 30_000)
      const settings = JSON.parse(await curl('/api/v1/server_settings').text)
      assert.equal(settings.realm_uri, `https://${host}`)
      await checkPoll()
      await checkEventStream()
      const uploaded = JSON.parse(
        await curl('/api/v1/user_uploads', '-F', `file=@${file('upload.bin')};filename=large.bin`).text,
      )
      assert.equal(uploaded.result, 'success', JSON.stringify(uploaded))
      const size = await curl(uploaded.uri, '-o', '/dev/null', '-w', '%{size_download}').text
      assert.equal(Number(size), uploadMegabytes * 1_000_000)
    } finally {
      child.kill('SIGTERM')
      await exited
    }
  })
}

const sendNote = () => iris.messages.send({ type: 'private', to: [iris.user_id], content: 'Watered.' })

async function checkPoll(): Promise<void> {
  const { queue_id, cursor } = await openQueue(iris, { event_types: ['message'] })
  const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=${cursor()}`
  // Without an event, a poll waits almost a minute for its heartbeat.
  assert.match(await curl(path).text, /"type":"heartbeat"/)
  const poll = curl(path)
  await sendNote()
  assert.match(await poll.text, /Watered\./)
}

async function checkEventStream(): Promise<void> {
  const { queue_id, cursor } = await openQueue(iris, { event_types: ['message'] })
  const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=${cursor()}`
  const stream = curl(path, '-H', 'accept: text/event-stream')
  let received = ''
  stream.stdout?.on('data', (chunk) => (received += chunk))
  await sendNote()
  // The stream stays open after the event, so a proxy that buffers it would hold the event back.
  await eventually(() => received.includes('Watered.'))
  assert.equal(stream.exitCode, null)
  stream.kill()
}
