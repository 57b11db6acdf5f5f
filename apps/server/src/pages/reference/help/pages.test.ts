import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'
import { readHelp } from './read-help.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const open = (path: string) => request(world.nodes.a.url, { path })

test('every file in docs/using is a help page that can be opened without a session', async () => {
  const pages = await readHelp()
  const files = globSync('docs/using/*.md').map((file) => basename(file, '.md'))
  assert.deepEqual([...pages.keys()].map((name) => name || 'README').sort(), files.sort())
  for (const [name, { title }] of pages) {
    const { status, headers, text } = await open(name ? `/help/${name}` : '/help')
    assert.equal(status, 200, name)
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/)
    assert.match(text, new RegExp(`<h2 id="[\\w-]+">${title}</h2>`))
    // Code contains Markdown that is shown as typed.
    const prose = text.replaceAll(/<code>.*?<\/code>/g, '')
    assert.ok(!/<script|style=|OxbowHelpPicture|OxbowGuideBlock|\.md[)#"]|\]\(/.test(prose), name)
  }
})

test('all links and pictures of the help pages can be opened', async () => {
  const links = new Set<string>()
  for (const name of (await readHelp()).keys()) {
    const path = name ? `/help/${name}` : '/help'
    const { text } = await open(path)
    for (const [, target = ''] of text.matchAll(/(?:href|src)="(\/help[^"]*|#[^"]*)"/g))
      links.add(target.startsWith('#') ? path + target : target)
  }
  assert.ok([...links].some((link) => link.endsWith('.png')))
  for (const link of links) {
    const [path = '', part] = link.split('#')
    const { status, text } = await open(path)
    assert.equal(status, 200, link)
    if (part) assert.ok(text.includes(`id="${part}"`), link)
  }
})

test('every picture in the folder is shown on a help page and is a small PNG', async () => {
  const texts = [...(await readHelp()).values()].map(({ text }) => text).join()
  const files = globSync('docs/images/using/*').map((file) => basename(file))
  assert.ok(files.length > 0)
  for (const file of files) {
    assert.ok(texts.includes(`(../images/using/${file})`), file)
    const { status, headers } = await open(`/help/pictures/${file}`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'], file)
    assert.ok(Number(headers.get('content-length')) < 80_000, `${file} is too large`)
  }
})

test('unknown names of help pages get a 404', async () => {
  for (const path of [
    '/help/none',
    '/help/README',
    '/help/..%2fglossary',
    '/help/__proto__',
    '/help/pictures/none.png',
  ])
    assert.equal((await open(path)).status, 404, path)
})
