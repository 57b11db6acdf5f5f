import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderer, rewritePictures } from '../src/index.ts'

const { render } = createRenderer()
const origin = 'https://chat.example'
const pages = new Map([
  ['https://page.example/', { title: 'Roses', description: 'and more', image: 'https://page.example/a.png' }],
])
const lookup = {
  findPerson: () => undefined,
  findGroup: () => undefined,
  findStream: () => undefined,
  findCustomEmoji: (name: string) => ({ name, sourceUrl: '/user_avatars/1/emoji/images/1.png' }),
}
const toHtml = (text: string) => render(text, { origin, lookup, previews: { images: true, pages } }).html

/** Returns the URLs that were rewritten, and the HTML. */
function rewrite(html: string) {
  const urls: string[] = []
  const rewritten = rewritePictures(html, (url) => `/proxy/${urls.push(url)}`)
  return { urls, rewritten }
}

const foreign: [text: string, url: string][] = [
  ['http://a.example/b.png', 'http://a.example/b.png'],
  ['https://a.example/b.png?c=1&d=2#e', 'https://a.example/b.png?c=1&d=2'],
  ['[rose](https://a.example/b.JPEG)', 'https://a.example/b.JPEG'],
  ['[a](HTTPS://A.example/b.gif)', 'https://a.example/b.gif'],
  ['[a](a.example/b.webp)', 'http://a.example/b.webp'],
  ['[a](https://gärten.example/b.png)', 'https://xn--grten-gra.example/b.png'],
  ['* https://a.example/b.png', 'https://a.example/b.png'],
  ['https://www.youtube.com/watch?v=abcdefghijk', 'https://i.ytimg.com/vi/abcdefghijk/default.jpg'],
  ['https://github.com/a/b/blob/main/c.png', 'https://raw.githubusercontent.com/a/b/main/c.png'],
  ['https://page.example/', 'https://page.example/a.png'],
  ['https://chat.example.evil.example/b.png', 'https://chat.example.evil.example/b.png'],
  ['http://chat.example/b.png', 'http://chat.example/b.png'],
]

test('sources of pictures on other hosts are replaced, and nothing else', () => {
  for (const [text, url] of foreign) {
    const html = toHtml(text)
    const { urls, rewritten } = rewrite(html)
    assert.deepEqual(urls, [url], text)
    assert.doesNotMatch(rewritten, /(src="|url\()https?:/i, text)
    assert.match(rewritten, /src="\/proxy\/1"|url\(\/proxy\/1\)/, text)
    assert.equal(rewrite(rewritten).rewritten, rewritten, text)
    // Links still lead to the original host.
    assert.equal(rewritten.match(/href="[^"]*"/)?.[0], html.match(/href="[^"]*"/)?.[0])
  }
})

test('pictures of the organization, emoji and text that looks like a picture stay as they are', () => {
  const texts = [
    '/user_uploads/1/aa/b.png',
    '[a](/user_uploads/1/aa/b.png)',
    'https://chat.example/user_uploads/1/aa/b.png',
    ':rose_garden:',
    'be <img src="https://a.example/b"> careful',
    '`<img src="https://a.example/b">`',
    '<a class="message_embed_image" href="" style="background-image: url(https://a.example/b)">',
    'src="https://a.example/b" and style="background-image: url(https://a.example/b)"',
    '> https://a.example/b.png',
    '[a](//a.example/b.png) [b](/\\a.example/b.png) [c](javascript:b.png)',
  ]
  for (const text of texts) {
    const html = toHtml(text)
    assert.deepEqual(rewrite(html), { urls: [], rewritten: html }, text)
  }
})
