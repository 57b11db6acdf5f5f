import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { isRenderedHtml } from '../src/html/check-html.ts'
import {
  addPagePreviews,
  createRenderer,
  listLanguages,
  loadHighlighter,
  loadMathEngine,
  type Renderer,
} from '../src/index.ts'
import { cases } from './cases/index.ts'

let renderer: Renderer
before(async () => {
  renderer = createRenderer({
    highlight: await loadHighlighter(listLanguages()),
    math: await loadMathEngine(),
  })
})

test('the HTML of every case of the dialect is recognized as rendered', () => {
  for (const { group, title, html } of cases) assert.ok(isRenderedHtml(html), `${group}: ${title}\n${html}`)
})

test('formulas, code and previews of pages are recognized as rendered', () => {
  const formulas = [
    '\\frac{a}{b}',
    '\\sqrt[3]{x^2}',
    '\\overbrace{a+b}^n',
    '\\color{red}{x}',
    '\\int_0^1',
    '\\begin{matrix}a&b\\\\c&d\\end{matrix}',
    '\\underline{x}',
    '\\cancel{x}',
    '\\phantom{x}',
    '\\boxed{x}',
    '\\overrightarrow{AB}',
    '\\raisebox{1em}{x}',
    '\\smash{x}',
    '\\Huge x',
    '\\widehat{y}',
    '\\widetilde{xyz}',
    '\\widecheck{abc}',
  ]
  for (const formula of formulas) {
    const { html } = renderer.render(`$$${formula}$$`, {})
    assert.ok(isRenderedHtml(html), html)
  }
  for (const language of ['js', 'python', 'html', 'css', 'c++']) {
    const { html } = renderer.render(`\`\`\`${language}\nif (a < b && "c") { return '<p>' }\n\`\`\``, {})
    assert.ok(isRenderedHtml(html), html)
  }
  const page = { title: 'A "page" <b>', description: 'x & y', image: 'https://x.example/a.png?a=1&b=2' }
  const preview = addPagePreviews('<p>x</p>', [['https://x.example/?a=1&b=2', page]])
  assert.ok(isRenderedHtml(preview), preview)
})

test('formulas with the deepest nesting are recognized as rendered', () => {
  const nested = (open: string, count: number) => `${open.repeat(count)}x${'}'.repeat(count)}`
  for (const formula of [nested('{', 498), nested('^{', 97)]) {
    const { html } = renderer.render(`> > $$${formula}$$`, {})
    assert.ok(html.includes('class="katex"'), formula)
    assert.ok(isRenderedHtml(html), formula)
  }
})

test('a long style that is not valid is refused at once', () => {
  const began = performance.now()
  for (const style of ['a:bbb'.repeat(60), 'a: b;'.repeat(1_000), 'a : b ; '.repeat(1_000)])
    assert.ok(!isRenderedHtml(`<span style="${style}!">x</span>`))
  assert.ok(performance.now() - began < 10_000)
})

test('pictures in a form in which rewritePictures does not find them are refused', () => {
  const background = 'style="background-image: url(https://evil.example/x)"'
  const embedded = (style: string) => `<a class="message_embed_image" href="/" style="${style}"></a>`
  assert.ok(isRenderedHtml(embedded('background-image: url(https://evil.example/x)')))
  const hostile = [
    "<img src='https://evil.example/x'>",
    '<img  src="https://evil.example/x">',
    '<img\nsrc="https://evil.example/x">',
    '<img src ="https://evil.example/x">',
    '<img src="https://evil.example/x" >',
    '<img src="https://evil.example/x"/>',
    '<IMG src="https://evil.example/x">',
    '<img src="/\t/evil.example/x">',
    '<img src="/\n/evil.example/x">',
    embedded('background-image: url(//evil.example/x)'),
    embedded('background-image: url(/\\evil.example/x)'),
    `<a href="/" ${background}></a>`,
    `<a class="message_embed_image x" href="/" ${background}></a>`,
    `<a class="message_embed_image" ${background}></a>`,
    `<a class="message_embed_image" href="/" title="x" ${background}></a>`,
    '<div/>',
  ]
  for (const html of hostile) assert.ok(!isRenderedHtml(html), html)
})

test('HTML that the renderer cannot write is refused', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<p onclick="x">a</p>',
    '<img src=x onerror=alert(1)>',
    '<img src="x" onerror="alert(1)">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href="javascript&colon;alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="//evil.example/x">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<img src="data:image/svg+xml,x">',
    '<a style="background-image: url(javascript:x)" href="/">x</a>',
    '<a style="position:fixed" href="/">x</a>',
    '<span style="position:fixed;top:0em">x</span>',
    '<span style="background:url(//evil.example)">x</span>',
    '<iframe src="https://evil.example"></iframe>',
    '<form action="https://evil.example"></form>',
    '<input>',
    '<style>p{}</style>',
    '<svg onload="x"></svg>',
    '<p>unclosed',
    '</div><p>x</p>',
    '<p><em>x</p></em>',
    '<p>1 < 2</p>',
    '<!-- x -->',
    '<p/onclick=x>y</p>',
    `${'<blockquote>'.repeat(2_100)}${'</blockquote>'.repeat(2_100)}`,
    '<constructor>x</constructor>',
  ]
  for (const html of hostile) assert.ok(!isRenderedHtml(html), html)
})

test('classes and roles to which only clients give a meaning are refused', () => {
  const inFormula = (html: string) => `<p><span class="katex"><span class="base">${html}</span></span></p>`
  const hostile = [
    '<div class="MessageList">x</div>',
    '<div class="Row-message Lightbox">x</div>',
    '<a class="Row" data-id="7" href="/">x</a>',
    '<span class="code-copy">x</span>',
    '<div class="spoiler-block"><span class="spoiler-button">x</span></div>',
    '<span class="user-mention user-mention-own">x</span>',
    '<p><span class="katex">x</span><span class="mord">x</span></p>',
    '<span role="menuitem">x</span>',
    inFormula('<span class="Row">x</span>'),
    inFormula('<code>x</code><span class="code-copy">x</span>'),
  ]
  for (const html of hostile) assert.ok(!isRenderedHtml(html), html)
  assert.ok(isRenderedHtml(inFormula('<span class="mord x-arrow brahmic_fallback">x</span>')))
})

test('every class of the style sheet of messages is one that rendered HTML may have', () => {
  const sheet = readFileSync(new URL('../styles/message.css', import.meta.url), 'utf8')
  const names = [...sheet.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name)
  assert.ok(names.includes('codehilite'))
  for (const name of new Set(names))
    if (name !== 'message') assert.ok(isRenderedHtml(`<span class="${name}">x</span>`), name)
})
