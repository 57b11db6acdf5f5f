import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addPagePreviews,
  createRenderer,
  findReferences,
  HtmlTooLongError,
  loadHighlighter,
  loadMathEngine,
  renderTopicLinks,
} from '../src/index.ts'
import { contextOf } from './cases/index.ts'

const { render } = createRenderer()

test('a repeated mention is reported once, and silent, quoted, escaped or code mentions are not', () => {
  const text =
    '@**Iris Moor** @**iris moor** @_**Otto Lind** [@**Sam Park|14**](http://x.example) `@**Tom & <Jo>**`\n\n> @**Otto Lind**'

  const { mentionedUserIds } = render(text, contextOf())

  assert.deepEqual(mentionedUserIds, [10])
})

test('a group mention in a quote is reported', () => {
  assert.deepEqual(render('> @*gardeners*', contextOf()).mentionedGroupIds, [3])
})

test('wildcard mentions are reported, also if they are silent or quoted, but not in code', () => {
  for (const text of ['@**all**', '@_**everyone**', '> @**stream**']) {
    assert.equal(render(text, contextOf()).mentionsWildcard, true, text)
  }
  assert.equal(render('`@**all**`', contextOf()).mentionsWildcard, false)
})

test('links of every kind are reported once, and their URLs are not normalized', () => {
  const text =
    '#**garden** [a](http://a.example) http://a.example #5\n\n> http://b.example `http://c.example`'

  const { links } = render(text, contextOf())

  assert.deepEqual(links, [
    '/#narrow/stream/1-garden',
    'http://a.example',
    'https://tracker.example/issues/5',
    'http://b.example',
  ])
})

test('a picture link is reported if it has a preview', () => {
  assert.equal(render('http://x.example/a.png', contextOf()).hasImage, true)
  assert.deepEqual(render('http://x.example/a.png', contextOf()).links, ['http://x.example/a.png'])
  assert.equal(render('https://youtu.be/hx1mjT73xYE', contextOf()).hasImage, true)
  assert.equal(render('> http://x.example/a.png', contextOf()).hasImage, false)
  assert.equal(render('http://x.example/a.png', contextOf({ previews: false })).hasImage, false)
})

test('links to pages are reported if they may have a preview', () => {
  const pagesOf = (text: string, settings = {}) => render(text, contextOf(settings)).pageLinks
  const text =
    '[a](https://a.example) http://x.example/a.png https://youtu.be/hx1mjT73xYE https://chat.example/login #**garden**'

  assert.deepEqual(pagesOf(text), ['https://a.example'])
  assert.deepEqual(pagesOf(text, { previews: false }), ['https://a.example', 'https://youtu.be/hx1mjT73xYE'])
  assert.deepEqual(pagesOf('> https://a.example\n\n`https://b.example` a@b.example ftp://c.example'), [])
  assert.deepEqual(pagesOf([1, 2, 3, 4, 5, 6].map((number) => `https://a.example/${number}`).join(' ')), [])
  assert.deepEqual(render('https://a.example', { previews: { images: true } }).pageLinks, [])
})

test('addPagePreviews returns the same HTML as rendering with the pages', () => {
  const page = { title: 'Tea', description: '', image: 'https://x.example/a.png' }
  const [a, b] = ['https://a.example/', 'https://b.example/']
  const texts = [a, `x ${b} ${a}`, `* ${a}`, `${a} http://x.example/rose.png`, `# ${a}`]
  for (const text of texts) {
    const { html, pageLinks } = render(text, contextOf())
    const withPreviews = render(text, contextOf({ pages: { [a]: page, [b]: page } })).html
    assert.equal(
      addPagePreviews(
        html,
        pageLinks.map((link) => [link, page]),
      ),
      withPreviews,
      text,
    )
  }
  assert.equal(addPagePreviews('<p>x</p>', []), '<p>x</p>')
})

test('picture previews are loaded through the configured thumbnailer or proxy', () => {
  const imageSource = (url: string) => ({
    src: `/thumbnail?url=${url}&size=thumbnail`,
    fullsize: `/thumbnail?url=${url}&size=full`,
  })

  const { html } = render('/a.png is [a](/a.png)', { previews: { images: true, imageSource } })

  assert.ok(
    html.endsWith(
      '<img data-src-fullsize="/thumbnail?url=/a.png&amp;size=full" src="/thumbnail?url=/a.png&amp;size=thumbnail"></a></div>',
    ),
  )
})

test('absolute and relative links to uploads are reported, also in quotes, but not in code or for other hosts', () => {
  const text =
    '[a](/user_uploads/1/aa/x/a.txt) https://chat.example/user_uploads/1/bb/y/b.txt?c=d `[c](/user_uploads/1/c)`\n' +
    'https://other.example/user_uploads/1/d\n\n> [e](/user_uploads/1/e)'

  const { uploads } = render(text, contextOf())

  assert.deepEqual(uploads, ['1/aa/x/a.txt', '1/bb/y/b.txt', '1/e'])
})

test('alert words are found regardless of upper and lower case, also in code, but only between delimiters', () => {
  const alertWords = new Set(['roses', 'late frost', 'ß'])
  const found = (text: string) => render(text, { alertWords }).alertWords

  assert.deepEqual(found('Roses!'), ['roses'])
  assert.deepEqual(found('`roses`'), ['roses'])
  assert.deepEqual(found('"roses, and LATE FROST.'), ['roses', 'late frost'])
  assert.deepEqual(found('roses"'), [])
  assert.deepEqual(found('primroses'), [])
  assert.deepEqual(found('roses-red'), [])
  assert.deepEqual(found('>roses'), ['roses'])
})

test('a /me message requires the space after /me', () => {
  assert.equal(render('/me waves').isMeMessage, true)
  assert.equal(render('/me').isMeMessage, false)
  assert.equal(render(' /me waves').isMeMessage, false)
})

test('engines that were missing during rendering are reported and can be loaded', async () => {
  const text = '$$x$$\n```py\nreturn 1\n```\n```klingon\na\n```'
  const without = render(text)
  assert.deepEqual(without.missing, { math: true, languages: ['py'] })
  assert.ok(without.html.includes('<span class="tex-error">$$x$$</span>'))

  const engines = {
    highlight: await loadHighlighter(without.missing.languages),
    math: await loadMathEngine(),
  }
  const withThem = createRenderer(engines).render(text)

  assert.deepEqual(withThem.missing, { math: false, languages: [] })
  assert.ok(withThem.html.includes('class="katex"'))
  assert.ok(withThem.html.includes('<span class="k">return</span>'))
})

test('a text can be rendered without a lookup in the context', () => {
  assert.equal(
    render('**Gardener** @**all** #**x**').html,
    '<p><strong>Gardener</strong> <span class="user-mention" data-user-id="*">@all</span> #<strong>x</strong></p>',
  )
})

test('rendering throws HtmlTooLongError if the HTML exceeds the size limit', () => {
  assert.throws(() => render('😀'.repeat(2000)), HtmlTooLongError)
})

test('findReferences lists the people, groups, streams and emoji that a text may refer to', () => {
  const text =
    '@**Iris Moor|10** @_**otto** @*gardeners* #**garden>late** #**a>b** :sprout:cat: `@**in code**`'

  assert.deepEqual(findReferences(text), {
    people: [{ name: 'Iris Moor', id: 10 }, { name: 'Iris Moor|10' }, { name: 'otto' }, { name: 'in code' }],
    groups: ['gardeners'],
    streams: ['garden', 'garden>late', 'a', 'a>b'],
    emoji: ['sprout', 'cat'],
    pictures: [],
  })
})

test('uploaded pictures that may get a preview are listed before rendering, and no other files', () => {
  const picture = (text: string) => findReferences(text).pictures

  assert.deepEqual(
    picture(
      '[a](/user_uploads/1/aa/x/a.png) /user_uploads/1/%C3%A4.JPG?x=1#y `/user_uploads/1/b.gif` [a](/user_uploads/1/aa/x/a.png)',
    ),
    ['1/aa/x/a.png', '1/ä.JPG', '1/b.gif'],
  )
  assert.deepEqual(picture('[a](/user_uploads/1/aa/x/a.txt) user_uploads/ user_uploads/%E0%A4%A'), [])
  const links = Array.from({ length: 6 }, (_, index) => `[a](/user_uploads/1/${index}.png)`)
  assert.equal(picture(links.slice(1).join(' ')).length, 5)
  assert.deepEqual(picture(links.join(' ')), [])
})

test('every uploaded picture that gets a preview was listed before rendering', () => {
  const requested: string[] = []
  const uploads = new (class extends Map<string, never> {
    override get(path: string) {
      requested.push(path)
      return undefined
    }
  })()
  const text =
    '[a](/user_uploads/1/a.png) <https://chat.example/user_uploads/1/b%20c.png> *[c](/user_uploads/1/ü.webp "t")*\n* (/user_uploads/1/d.gif)\n* https://chat.example/user_uploads/1/e.jpg?x'

  render(text, { origin: 'https://chat.example', previews: { images: true, uploads } })

  const listed = findReferences(text).pictures
  assert.ok(requested.length >= 3)
  assert.deepEqual(
    requested.filter((path) => !listed.includes(path)),
    [],
  )
})

test('every name that the renderer looks up was listed before rendering', () => {
  const requested = new Set<string>()
  const note = (kind: string) => (name: string) => {
    requested.add(`${kind} ${name}`)
    return undefined
  }
  const lookup = {
    findPerson: note('person'),
    findGroup: note('group'),
    findStream: note('stream'),
    findCustomEmoji: note('emoji'),
  }
  const text = '**@**A|7** x** > @**B** #**s>t** "#**s t**" :x:y: @*g* @***h*** \n* @_**C**\n\n> #**q**'

  render(text, { lookup })

  const found = findReferences(text)
  const listedNames = new Set([
    ...found.people.map(({ name }) => `person ${name}`),
    ...found.groups.map((name) => `group ${name}`),
    ...found.streams.map((name) => `stream ${name}`),
    ...found.emoji.map((name) => `emoji ${name}`),
  ])
  assert.ok(requested.size >= 6)
  assert.deepEqual(
    [...requested].filter((name) => !listedNames.has(name)),
    [],
  )
})

test('the links of a topic are listed by linkifier, and then the URLs in order of appearance', () => {
  const { linkifiers = [] } = contextOf()

  assert.deepEqual(renderTopicLinks('bug moor-7 and #12 https://x.example/a?b, tea.com', linkifiers), [
    'https://tracker.example/issues/12',
    'https://bugs.example/moor?id=7',
    'https://x.example/a',
    'https://tea.com',
  ])
  assert.deepEqual(renderTopicLinks('plain words', linkifiers), [])
})
