import { casesOf } from './case.ts'

const code = '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'
const spoiler = '<div class="spoiler-block"><div class="spoiler-header">\n\n'
const content = '</div><div class="spoiler-content" aria-hidden="true">\n\n'
const close = '</div></div>'

export const quoteCases = [
  ...casesOf('Quotes', [
    ['a quote', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['a quote without a space', '>a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['the next line belongs to the quote', '> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['two lines', '> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['a blank line ends the quote', '> a\n\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
    [
      'quotes separated by a blank line are joined',
      '> a\n\n> b',
      '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>',
    ],
    ['two paragraphs', '> a\n>\n> b', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
    ['directly after text', 'a\n> b', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
    ['a bare >', '>', '<p>&gt;</p>'],
    ['two bare >', '>\n>', '<p>&gt;<br>\n&gt;</p>'],
    ['a bare > above text', '>\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['a bare > with spaces above text', '>  \n>\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['a bare > between lines of text', 'a\n>\nb', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
    ['a bare > under text', 'a\n>', '<p>a<br>\n&gt;</p>'],
    ['a bare > above a heading', '>\n# a', '<p>&gt;</p>\n<h1>a</h1>'],
    ['a bare > above a blank line', '>\n\na', '<p>&gt;</p>\n<p>a</p>'],
    ['a bare > at the end', '> a\n>', '<blockquote>\n<p>a<br>\n</p>\n</blockquote>'],
    ['two bare > at the end', '> a\n>\n>', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['a bare > as the first line', '>\n> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['a quote in a quote', '> > a', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
    ['a list inside', '> * a\n> * b', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
    [
      'a list marker under text in a quote is text',
      '> a\n> * b',
      '<blockquote>\n<p>a<br>\n* b</p>\n</blockquote>',
    ],
    [
      'a list inside after a bare >',
      '> a\n>\n> * b',
      '<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>',
    ],
    ['a list after the quote', '> a\n* b', '<blockquote>\n<p>a</p>\n</blockquote>\n<ul>\n<li>b</li>\n</ul>'],
    ['a heading inside', '> # a', '<blockquote>\n<h1>a</h1>\n</blockquote>'],
    ['a heading after the quote', '> a\n# b', '<blockquote>\n<p>a</p>\n</blockquote>\n<h1>b</h1>'],
    ['a rule after the quote', '> a\n---', '<blockquote>\n<p>a</p>\n</blockquote>\n<hr>'],
    ['formatting inside', '> **a**', '<blockquote>\n<p><strong>a</strong></p>\n</blockquote>'],
    ['a > inside a line is text', 'a > b', '<p>a &gt; b</p>'],
  ]),
  ...casesOf('Fenced quotes', [
    ['a fence', '```quote\na\n```', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['by the alias quoted', '```quoted\na\n```', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['in capitals', '```QUOTE\na\n```', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['two paragraphs', '```quote\na\n\nb\n```', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
    ['text after the quote', '```quote\na\n```\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
    ['an empty quote', '```quote\n```', ''],
    ['an empty quote between paragraphs', 'a\n```quote\n```\nb', '<p>a</p>\n<p>b</p>'],
    ['without a closing fence', '```quote\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
    [
      'code inside with a shorter fence',
      '````quote\n```\na\n```\n````',
      `<blockquote>\n${code}\n\n\n</blockquote>`,
    ],
    ['code inside with tildes', '```quote\n~~~\na\n~~~\n```', `<blockquote>\n${code}\n\n\n</blockquote>`],
    [
      'code inside with a language',
      '```quote\n```text\na\n```\n```',
      `<blockquote>\n${code}\n\n\n</blockquote>`,
    ],
    [
      'a quote in a quote',
      '~~~quote\n```quote\na\n```\nb\n~~~',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>',
    ],
    [
      'a list directly after text inside',
      '```quote\na\n* b\n```',
      '<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>',
    ],
    ['a list inside', '```quote\n* a\n```', '<blockquote>\n<ul>\n<li>a</li>\n</ul>\n</blockquote>'],
  ]),
  ...casesOf('Spoilers', [
    [
      'a spoiler',
      '```spoiler Ending\nHe wakes up.\n```',
      `${spoiler}<p>Ending</p>\n${content}<p>He wakes up.</p>\n${close}`,
    ],
    ['without a header', '```spoiler\na\n```', `${spoiler}${content}<p>a</p>\n${close}`],
    [
      'formatting in the header',
      '```spoiler *the* end\na\n```',
      `${spoiler}<p><em>the</em> end</p>\n${content}<p>a</p>\n${close}`,
    ],
    [
      'blocks inside',
      '```spoiler x\n* a\n* b\n```',
      `${spoiler}<p>x</p>\n${content}<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n${close}`,
    ],
    [
      'text after the spoiler',
      '```spoiler x\na\n```\nb',
      `${spoiler}<p>x</p>\n${content}<p>a</p>\n${close}\n\n<p>b</p>`,
    ],
    [
      'text before the spoiler',
      'b\n```spoiler x\na\n```',
      `<p>b</p>\n${spoiler}<p>x</p>\n${content}<p>a</p>\n${close}`,
    ],
    [
      'an empty spoiler hides the text that follows',
      '```spoiler x\n```\nb',
      `${spoiler}<p>x</p>\n${content}<p>b</p>\n${close}`,
    ],
    ['an empty spoiler at the end', '```spoiler x\n```', `${spoiler}<p>x</p>\n${content}${close}`],
    ['with a blank line only', '```spoiler x\n\n```', `${spoiler}<p>x</p>\n${content}${close}`],
    [
      'a header is escaped',
      '```spoiler <b>\na\n```',
      `${spoiler}<p>&lt;b&gt;</p>\n${content}<p>a</p>\n${close}`,
    ],
    [
      'code inside',
      '````spoiler x\n```text\na\n```\n````',
      `${spoiler}<p>x</p>\n${content}${code}\n\n\n${close}`,
    ],
    ['in capitals', '```Spoiler x\na\n```', `${spoiler}<p>x</p>\n${content}<p>a</p>\n${close}`],
    [
      'a mention inside is not silent',
      '```spoiler\n@**Iris Moor**\n```',
      `${spoiler}${content}<p><span class="user-mention" data-user-id="10">@Iris Moor</span></p>\n${close}`,
    ],
  ]),
]
