import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { relative } from 'node:path'
import { after, test } from 'node:test'
import { basic, eventually, signIn, startWorld } from '@oxbow/testkit'
import { formOf } from '@oxbow/testkit/hostile-images/all'
import { sampleInGate } from '@oxbow/testkit/size'
import { type HostileFile, hostileFiles, trapScript } from './hostile-files/index.ts'
import { startWatchedBrowser } from './hostile-files/watched-browser.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const mallory = await world.person('mallory')
const origin = world.nodes.a.url
const { cookie } = await signIn(world, mallory)
const browser = await startWatchedBrowser(origin, cookie)
after(() => browser[Symbol.asyncDispose]())

/** Returns the paths of all files that the server stores. */
async function listStored(): Promise<string[]> {
  const found = await readdir(world.files_dir, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => `${relative(world.files_dir, entry.parentPath)}/${entry.name}`)
}
const storedBefore = new Set(await listStored())
/** Returns whether a file was uploaded to an earlier organization, whose test file shared this server. */
const isOfAnotherTest = (path: string) => {
  const organization_id = Number(/^uploads\/(\d+)\//.exec(path)?.[1] ?? world.organization_id)
  return organization_id < world.organization_id
}

const files = await hostileFiles(browser.trap)
const chosen = sampleInGate(files, 30)
/** Number of files embedded in one page. */
const batchSize = 10
/** URLs of the files that were accepted. */
const accepted = new Map<HostileFile, string>()

async function upload({ bytes, fileName, contentType }: HostileFile) {
  const { type, body } = formOf({ bytes, fileName, contentType })
  const response = await fetch(`${origin}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: basic(mallory), 'content-type': type },
    body: new Uint8Array(body),
  })
  return { status: response.status, body: (await response.json()) as { uri: string; msg: string } }
}

/** Matches types that no browser executes. */
const harmlessTypes = /^(application\/octet-stream|text\/plain|application\/pdf|(image|audio|video)\/[\w-]+)$/
const isHidden = (character: string) => /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(character)

test('hostile files are refused, or served with headers that make them harmless', async () => {
  assert.ok(files.length >= 200, String(files.length))
  for (const file of chosen) {
    const { status, body } = await upload(file)
    if (file.handling === 'refused') {
      assert.deepEqual([status, body.msg], [400, 'You must specify a file to upload'], file.title)
      continue
    }
    assert.equal(status, 200, `${file.title}: ${body.msg}`)
    assert.match(body.uri, /^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/[\p{L}\p{M}\p{N}_.-]{1,100}$/u)
    accepted.set(file, origin + encodeURI(body.uri))

    const served = await fetch(origin + encodeURI(body.uri), { headers: { authorization: basic(mallory) } })
    const [type, disposition, policy, nosniff, encoding] = [
      'content-type',
      'content-disposition',
      'content-security-policy',
      'x-content-type-options',
      'content-encoding',
    ].map((name) => served.headers.get(name) ?? '')
    assert.deepEqual([served.status, nosniff, encoding], [200, 'nosniff', ''], file.title)
    assert.match(type ?? '', harmlessTypes, file.title)
    assert.match(policy ?? '', /^default-src 'none';.*frame-ancestors 'none'$/)
    assert.match(
      disposition ?? '',
      /^(inline|attachment); filename="[ !#-[\]-~]{1,255}"(; filename\*=UTF-8''[\w%.~!$&+^`|-]+)?$/,
    )
    const name = decodeURIComponent(/filename\*=UTF-8''(.*)/.exec(disposition ?? '')?.[1] ?? '')
    assert.ok(![...name].some(isHidden) && !/[/\\]/.test(name), file.title)
    if (file.handling === 'saved') assert.match(disposition ?? '', /^attachment/, file.title)
    if (file.handling === 'shown') assert.match(disposition ?? '', /^inline/, file.title)
    if (/^inline/.test(disposition ?? '')) assert.match(type ?? '', /^(image\/|application\/pdf)/, file.title)
    const bytes = Buffer.from(await served.arrayBuffer())
    assert.ok(bytes.equals(Buffer.from(file.bytes)), file.title)
  }
})

test('a browser saves hostile files or shows them as pictures and documents, and runs no script of them in the page', async () => {
  for (const [file, url] of accepted) {
    const opened = await browser.open(url)
    const dialog = `dialog ${browser.trap.word}`
    const traces = browser.takeTraces().filter((trace) => !file.mayShowDialog || trace !== dialog)
    assert.deepEqual(traces, [], file.title)
    if (opened.kind === 'shown')
      assert.match(opened.type, /^(image\/(png|gif|jpeg|webp)|application\/pdf)$/, file.title)
    if (file.handling !== 'either') assert.equal(opened.kind, file.handling, file.title)
    if (opened.kind === 'saved')
      assert.ok(![...opened.name].some(isHidden) && !/[/\\]/.test(opened.name), file.title)
  }
})

test('hostile files embedded in a page of the same origin do not run', async () => {
  const urls = [...accepted.values()]
  for (let at = 0; at < urls.length; at += batchSize) {
    const embedded = await browser.embed(urls.slice(at, at + batchSize))
    const titleOf = (fileUrl: string) => [...accepted].find(([, url]) => url === fileUrl)?.[0].title
    for (const { url, accepted: kinds } of embedded) assert.deepEqual(kinds, [], titleOf(url))
    const traces = browser.takeTraces()
    assert.deepEqual(traces, [], embedded.map(({ url }) => titleOf(url)).join(', '))
  }
})

test('hostile names store no file outside the directory of uploads, and cause no error in the log', async () => {
  const stored = (await listStored()).filter((path) => !storedBefore.has(path) && !isOfAnotherTest(path))
  const originals = stored.filter((path) => /^uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}$/.test(path))
  assert.equal(originals.length, accepted.size)
  // Thumbnails are stored beside their pictures.
  for (const path of stored)
    assert.ok(
      originals.some((original) => path.startsWith(original)),
      path,
    )
  assert.deepEqual(world.log.entries(50), [])
})

test('control: scripts in files served without protection run and are detected', async () => {
  // This test is last, because a worker may leave traces later.
  const { trap } = browser
  const script = trapScript(trap)
  const page = await browser.serveOpenly('/page', 'text/html', `<script>${script}</script>`)
  assert.deepEqual(await browser.open(page), { kind: 'shown', type: 'text/html' })
  const traces = browser.takeTraces()
  for (const trace of [`dialog ${trap.word}`, `console ${trap.word}`, `request ${trap.url}/fetch`])
    assert.ok(traces.includes(trace), traces.join())

  const openScript = await browser.serveOpenly('/script', 'text/javascript', script)
  // On a busy machine, a script can run after the deadline of the page, so that it is embedded again.
  await eventually(async () => {
    const [embedded] = await browser.embed([openScript])
    return ['script', 'module', 'import', 'title'].every((kind) => embedded?.accepted.includes(kind))
  })
  assert.notEqual(browser.takeTraces().length, 0)
})
