import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { cleanDescription, cleanImage, cleanTitle } from './clean-text.ts'
import { decodeHtml } from './decode-html.ts'
import { describePage, readOEmbed } from './describe-page.ts'
import { emptyPage, type Page } from './page.ts'
import { readHtml } from './read-html.ts'
import { readDirectives, readRobotsHeader } from './robots-directives.ts'
import { isPathAllowed, parseRobotsTxt } from './robots-txt.ts'

const url = 'https://tea.example/shop/green?x=1'

async function describe(html: string, oEmbed: Page = emptyPage): Promise<Page> {
  const findings = await readHtml(html, 'Oxbow')
  return describePage(findings, url, readDirectives(findings.robots), oEmbed)
}

test('for each field Open Graph takes precedence over oEmbed, JSON-LD and the title', async () => {
  const plain = '<title>Plain</title><meta name=description content="Plain text">'
  const linked = `<script type="application/ld+json">{"@graph":[
    {"@type":"WebSite","name":"Site"},
    {"@type":["Article"],"headline":"Linked","description":"Linked text","image":[{"url":"/l.png"}]}]}</script>`
  const open =
    '<meta property="og:title" content="Open &amp; &quot;free&quot;"><meta property=og:image content=/o.png>'
  const oEmbed = { title: 'Embedded', description: '', image: 'https://e.example/e.png' }

  assert.deepEqual(await describe(plain), { title: 'Plain', description: 'Plain text', image: '' })
  assert.deepEqual(await describe(plain + linked), {
    title: 'Linked',
    description: 'Linked text',
    image: 'https://tea.example/l.png',
  })
  assert.deepEqual(await describe(plain + linked, oEmbed), {
    title: 'Embedded',
    description: 'Linked text',
    image: 'https://e.example/e.png',
  })
  assert.deepEqual(await describe(plain + linked + open, oEmbed), {
    title: 'Open & "free"',
    description: 'Linked text',
    image: 'https://tea.example/o.png',
  })
})

test('broken HTML is parsed as far as possible', async () => {
  const pages = {
    'unclosed elements': '<p><div><TITLE>Tea\n shop</title <meta',
    'no head at all': 'text <b>bold<title>Tea shop</title>',
    'a title in a drawing before': '<svg><title>Logo</title></svg><title>Tea shop</title>',
    'a comment that never ends': '<title>Tea shop</title><!-- <meta property=og:title content=Hidden>',
    'a title that never ends': '<meta name="twitter:title" content="Tea shop"><title>x',
    'attributes without quotes, twice':
      '<meta content=Tea&#32;shop property=OG:Title property=x><meta property=og:title content=Second>',
    'NUL characters': '<title>Tea\0 shop</title>',
  }
  for (const [name, html] of Object.entries(pages))
    assert.equal((await describe(html)).title, 'Tea shop', name)
})

test('any input is parsed without an error, and the texts are clean and of bounded length', async () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<meta property="og:title" content="',
      '">',
      '<title>',
      '</title>',
      '<script type=application/ld+json>',
    ),
    fc.constantFrom(
      '{"@graph":[',
      '{"name":',
      '</script>',
      '<svg>',
      '</svg>',
      '<!--',
      '</head>',
      '<body>',
      '\u202E',
      '\0',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
      const { title, description, image } = await describe(parts.join(''))
      assert.ok([...title].length <= 200 && [...description].length <= 500)
      assert.ok(
        !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(title + description) &&
          (title + description).isWellFormed(),
      )
      assert.ok(image === '' || /^https?:\/\/[^\s]+$/.test(image))
    }),
    { numRuns: bySize({ gate: 40, long: 3_000 }) },
  )
})

test('the time to parse a page does not grow with the square of its nesting depth', async () => {
  const before = process.threadCpuUsage()
  for (const nested of [
    '<div>'.repeat(150_000),
    '<p><b><i>'.repeat(80_000),
    `${'<div>'.repeat(50_000)}${'</p>'.repeat(120_000)}`,
  ])
    assert.equal(
      (await describe(`<title>Deep</title>${nested}<meta property=og:title content=Deeper>`)).title,
      'Deep',
    )
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 3_000_000, `${(user + system) / 1_000} ms`)
})

test('the character set of a page comes from its byte order mark, header, declaration or valid bytes', () => {
  const latin = Buffer.from('<title>Gr\xfc\xdfe</title>', 'latin1')
  const cases: [name: string, body: Uint8Array, contentType?: string][] = [
    ['UTF-8 without a word', Buffer.from('<title>Grüße</title>')],
    ['Windows-1252 without a word', latin],
    ['the header', latin, 'text/html; charset="ISO-8859-1"'],
    ['the declaration', Buffer.concat([Buffer.from('<meta charset=windows-1252>'), latin])],
    ['a declaration with spaces', Buffer.concat([Buffer.from('<meta charset = " windows-1252">'), latin])],
    [
      'an older declaration',
      Buffer.concat([
        Buffer.from('<META http-equiv=Content-Type content="text/html; charset=iso-8859-15">'),
        latin,
      ]),
    ],
    [
      'the mark of UTF-16 before the header',
      Buffer.from('\uFEFF<title>Grüße</title>', 'utf16le'),
      'text/html; charset=utf-8',
    ],
    ['a mark before a wrong declaration', Buffer.from('\uFEFF<meta charset=koi8-r><title>Grüße</title>')],
    ['a set that nobody knows', Buffer.from('<title>Grüße</title>'), 'text/html; charset=nonsense'],
    ['UTF-16 that cannot be', Buffer.from('<meta charset=utf-16><title>Grüße</title>')],
    ['a character cut in the middle', Buffer.from('<title>Grüße</title>ü').subarray(0, -1)],
  ]
  for (const [name, body, contentType] of cases) assert.match(decodeHtml(body, contentType), /Grüße/, name)
  const japanese = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])
  assert.equal(decodeHtml(japanese, 'text/html; charset=Shift_JIS'), 'テスト')
})

test('the declaration of a character set is found in little processor time', () => {
  const page = `${'<meta'.repeat(80)} charset=`.padEnd(1_024)
  const began = process.threadCpuUsage()
  for (let count = 0; count < 100; count++) assert.equal(decodeHtml(Buffer.from(page)), page)
  assert.ok(process.threadCpuUsage(began).user < 2_000_000)
})

test('hidden and reordering characters are removed from texts, and long texts are cut between characters', () => {
  assert.equal(cleanTitle('a\u202Etxt.exe\u2066 \u200Bb\u0007\n\tc\uFEFF'), 'atxt.exe b c')
  assert.equal(cleanTitle('<script>alert(1)</script>'), '<script>alert(1)</script>')
  assert.equal(cleanTitle('👩‍👩‍👧 \uD800x'), '👩‍👩‍👧 \uFFFDx')
  assert.equal(cleanTitle(`Z${'\u0351'.repeat(50)}`), `Z${'\u0351'.repeat(4)}`)
  assert.equal(cleanTitle('🌱'.repeat(500)), `${'🌱'.repeat(199)}…`)
  assert.equal([...cleanDescription('word '.repeat(100_000))].length <= 500, true)
  assert.equal(cleanTitle(' \u200B\u202E '), '')
})

test('picture URLs are absolute HTTP URLs without credentials', () => {
  assert.equal(cleanImage('../a b.png#x', url), 'https://tea.example/a%20b.png')
  assert.equal(cleanImage('//cdn.example/a.png', url), 'https://cdn.example/a.png')
  const refused = [
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'https://user:pass@x.example/a.png',
    'https://user@x.example/a.png',
    'blob:https://x.example/1',
    `https://x.example/${'a'.repeat(3_000)}`,
    'https://[bad/',
    '',
  ]
  for (const image of refused) assert.equal(cleanImage(image, url), '', image)
})

test('robots directives of a page are read from its meta elements and headers', async () => {
  const open =
    '<meta property=og:title content=T><meta property=og:description content=D><meta property=og:image content=/i.png>'
  const full = { title: 'T', description: 'D', image: 'https://tea.example/i.png' }
  const describeWith = (content: string, name = 'robots') =>
    describe(`<meta name=${name} content="${content}">${open}`)
  assert.deepEqual(await describeWith('index, follow'), full)
  assert.deepEqual(await describeWith('nosnippet'), { ...full, description: '' })
  assert.deepEqual(await describeWith('max-snippet:0, noimageindex'), { ...full, description: '', image: '' })
  assert.deepEqual(await describeWith('noindex', 'googlebot'), full)
  assert.ok(readDirectives((await readHtml('<meta name=oxbow content="NoIndex">', 'Oxbow')).robots).noPreview)

  const header = (value: string) => readDirectives(readRobotsHeader(value, 'Oxbow'))
  assert.ok(header('noindex').noPreview)
  assert.ok(header('otherbot: noarchive, oxbow: none').noPreview)
  assert.ok(!header('otherbot: noindex, nofollow').noPreview)
  assert.ok(header('max-snippet: 0, max-image-preview: none').noDescription)
  assert.ok(header('unavailable_after: 25 Jun 2010, noindex').noPreview)
})

test('robots.txt follows RFC 9309: groups for this robot and longer patterns take precedence', () => {
  const text = `
User-agent: otherbot
Disallow: /

User-Agent: *
Disallow: /private # comment
Allow: /private/open$
Disallow: /*.pdf$
Disallow: /search?*q=

User-agent: OXBOW
user-agent: third
Disallow: /only-us
Disallow:`
  const everyone = parseRobotsTxt(text, 'unnamed')
  const isAllowed = (path: string) => isPathAllowed(everyone, path)
  assert.deepEqual(
    [
      '/',
      '/private',
      '/private/open',
      '/private/open/x',
      '/a/b.pdf',
      '/a/b.pdf?x',
      '/search?a=1&q=2',
      '/only-us',
    ].map(isAllowed),
    [true, false, true, false, false, true, false, true],
  )
  const own = parseRobotsTxt(text, 'Oxbow')
  assert.deepEqual(
    ['/private', '/only-us/x'].map((path) => isPathAllowed(own, path)),
    [true, false],
  )
  assert.ok(isPathAllowed(parseRobotsTxt('<html>not found</html>', 'Oxbow'), '/x'))
  assert.ok(!isPathAllowed(parseRobotsTxt('user-agent:*\rdisallow:/caf%C3%A9', 'Oxbow'), '/café'))
  const hostile = parseRobotsTxt(
    `user-agent: *\n${`disallow: /${'*a'.repeat(200)}$\n`.repeat(1_200)}`,
    'Oxbow',
  )
  assert.ok(isPathAllowed(hostile, `/${'a'.repeat(1_900)}b`))
})

test('robots.txt files with long patterns are matched in little processor time', () => {
  const began = process.threadCpuUsage()
  for (const [letter, count] of [
    ['a', 480],
    ['é', 80],
    // The longest texts that are matched.
    ['a', 198],
  ] as const) {
    const pattern = `*${letter}b${letter.repeat(count)}`
    const rules = parseRobotsTxt(`user-agent: *\n${`disallow: ${pattern}\n`.repeat(100)}`, 'Oxbow')
    assert.ok(isPathAllowed(rules, `/${letter.repeat(40_000)}`))
  }
  assert.ok(process.threadCpuUsage(began).user < 600_000)
  const long = parseRobotsTxt(`user-agent: *\ndisallow: /${'a'.repeat(400)}*b`, 'Oxbow')
  assert.ok(!isPathAllowed(long, `/${'a'.repeat(8_000)}b`))
})

test('an oEmbed response provides a title and a picture, but never HTML', () => {
  assert.deepEqual(readOEmbed('{"type":"photo","title":"T","url":"https://x.example/p.png","html":"<b>"}'), {
    title: 'T',
    description: '',
    image: 'https://x.example/p.png',
  })
  for (const text of ['', 'null', '[]', '7', '{"title":7,"thumbnail_url":{}}', '{'])
    assert.deepEqual(readOEmbed(text), emptyPage, text)
})
