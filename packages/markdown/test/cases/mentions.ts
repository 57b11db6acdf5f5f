import { casesOf } from './case.ts'

const iris = '<span class="user-mention" data-user-id="10">@Iris Moor</span>'
const silentIris = '<span class="user-mention silent" data-user-id="10">Iris Moor</span>'
const everybody = '<span class="user-mention" data-user-id="*">@all</span>'
const gardeners = '<span class="user-group-mention" data-user-group-id="3">@gardeners</span>'

export const mentionCases = [
  ...casesOf('Mentions', [
    ['a person', '@**Iris Moor**', `<p>${iris}</p>`],
    ['a person in a sentence', 'Ask @**Iris Moor**, please.', `<p>Ask ${iris}, please.</p>`],
    ['the case of a name does not matter', '@**iris MOOR**', `<p>${iris}</p>`],
    ['by name and id', '@**Iris Moor|10**', `<p>${iris}</p>`],
    [
      'an id distinguishes people with the same name',
      '@**Sam Park|14**',
      '<p><span class="user-mention" data-user-id="14">@Sam Park</span></p>',
    ],
    ['the id of another person', '@**Iris Moor|11**', '<p>@<strong>Iris Moor|11</strong></p>'],
    ['a silent mention', '@_**Iris Moor**', `<p>${silentIris}</p>`],
    ['a silent mention by name and id', '@_**Iris Moor|10**', `<p>${silentIris}</p>`],
    [
      'an apostrophe in a name',
      "@**Ada O'Hara**",
      `<p><span class="user-mention" data-user-id="12">@Ada O'Hara</span></p>`,
    ],
    [
      'a name is escaped',
      '@**Tom & <Jo>**',
      '<p><span class="user-mention" data-user-id="15">@Tom &amp; &lt;Jo&gt;</span></p>',
    ],
    ['an unknown name', '@**Nobody Here**', '<p>@<strong>Nobody Here</strong></p>'],
    ['a silent mention of an unknown name', '@_**Nobody Here**', '<p>@_<strong>Nobody Here</strong></p>'],
    ['a bare name is text', '@Iris', '<p>@Iris</p>'],
    ['no boundary before the mention', 'x@**Iris Moor**', '<p>x@<strong>Iris Moor</strong></p>'],
    ['after a parenthesis', '(@**Iris Moor**)', `<p>(${iris})</p>`],
    ['after a comma', 'a,@**Iris Moor**', `<p>a,${iris}</p>`],
    ['after a colon', 'cc:@**Iris Moor**', `<p>cc:${iris}</p>`],
    ['after a double quote', '"@**Iris Moor**"', `<p>"${iris}"</p>`],
    ['after an angle bracket', '<@**Iris Moor**>', `<p>&lt;${iris}&gt;</p>`],
    ['a name after a hyphen is not a mention', '-@**Iris Moor**', '<p>-@<strong>Iris Moor</strong></p>'],
    ['on a second line', 'hi\n@**Iris Moor**', `<p>hi<br>\n${iris}</p>`],
    ['in a list', '* @**Iris Moor**', `<ul>\n<li>${iris}</li>\n</ul>`],
    ['in bold with spaces', '** @**Iris Moor** **', `<p><strong> ${iris} </strong></p>`],
    ['silent in a quote', '> @**Iris Moor**', `<blockquote>\n<p>${silentIris}</p>\n</blockquote>`],
    [
      'silent in a fenced quote',
      '```quote\n@**Iris Moor**\n```',
      `<blockquote>\n<p>${silentIris}</p>\n</blockquote>`,
    ],
    [
      'a mention after a quote is not silent',
      '> a\n\n@**Iris Moor**',
      `<blockquote>\n<p>a</p>\n</blockquote>\n<p>${iris}</p>`,
    ],
  ]),
  ...casesOf('Wildcard mentions', [
    ['all', '@**all**', `<p>${everybody}</p>`],
    ['everyone', '@**everyone**', '<p><span class="user-mention" data-user-id="*">@everyone</span></p>'],
    ['stream', '@**stream**', '<p><span class="user-mention" data-user-id="*">@stream</span></p>'],
    ['silent all', '@_**all**', '<p><span class="user-mention silent" data-user-id="*">all</span></p>'],
    ['in lower case only', '@**All**', '<p>@<strong>All</strong></p>'],
    ['a bare all is text', '@all', '<p>@all</p>'],
    [
      'silent in a quote',
      '> @**all**',
      '<blockquote>\n<p><span class="user-mention silent" data-user-id="*">all</span></p>\n</blockquote>',
    ],
  ]),
  ...casesOf('Group mentions', [
    ['a group', '@*gardeners*', `<p>${gardeners}</p>`],
    [
      'a group with a space in its name',
      '@*night shift*',
      '<p><span class="user-group-mention" data-user-group-id="4">@night shift</span></p>',
    ],
    ['the exact name only', '@*Gardeners*', '<p>@<em>Gardeners</em></p>'],
    ['no such group', '@*nobody*', '<p>@<em>nobody</em></p>'],
    ['no silent form', '@_*gardeners*', '<p>@_<em>gardeners</em></p>'],
    ['not silent in a quote', '> @*gardeners*', `<blockquote>\n<p>${gardeners}</p>\n</blockquote>`],
    ['no boundary before the mention', 'x@*gardeners*', '<p>x@<em>gardeners</em></p>'],
  ]),
  ...casesOf('Streams and topics', [
    [
      'a stream',
      '#**garden**',
      '<p><a class="stream" data-stream-id="1" href="/#narrow/stream/1-garden">#garden</a></p>',
    ],
    [
      'a topic',
      '#**garden>late roses**',
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/stream/1-garden/topic/late.20roses">#garden &gt; late roses</a></p>',
    ],
    [
      'spaces and special characters in a stream',
      '#**Frost & Moss**',
      '<p><a class="stream" data-stream-id="2" href="/#narrow/stream/2-Frost-.26-Moss">#Frost &amp; Moss</a></p>',
    ],
    [
      'dots and slashes in a stream',
      '#**a.b/c**',
      '<p><a class="stream" data-stream-id="5" href="/#narrow/stream/5-a.2Eb.2Fc">#a.b/c</a></p>',
    ],
    [
      'letters beyond ASCII',
      '#**très bien**',
      '<p><a class="stream" data-stream-id="6" href="/#narrow/stream/6-tr.C3.A8s-bien">#très bien</a></p>',
    ],
    [
      'special characters in a topic',
      `#**garden>what's (new)?**`,
      `<p><a class="stream-topic" data-stream-id="1" href="/#narrow/stream/1-garden/topic/what.27s.20.28new.29.3F">#garden &gt; what's (new)?</a></p>`,
    ],
    [
      'an angle bracket in a topic',
      '#**garden>a>b**',
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/stream/1-garden/topic/a.3Eb">#garden &gt; a&gt;b</a></p>',
    ],
    [
      'an angle bracket in a stream',
      '#**a>b**',
      '<p><a class="stream" data-stream-id="7" href="/#narrow/stream/7-a.3Eb">#a&gt;b</a></p>',
    ],
    [
      'an emoji name in a topic is not an emoji',
      '#**garden>:smile:**',
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/stream/1-garden/topic/.3Asmile.3A">#garden &gt; :smile:</a></p>',
    ],
    ['the case of a stream matters', '#**Garden**', '<p>#<strong>Garden</strong></p>'],
    ['no such stream', '#**nowhere**', '<p>#<strong>nowhere</strong></p>'],
    ['a topic of an unknown stream', '#**nowhere>x**', '<p>#<strong>nowhere&gt;x</strong></p>'],
    ['no boundary before the link', 'x#**garden**', '<p>x#<strong>garden</strong></p>'],
    [
      'in a quote',
      '> #**garden**',
      '<blockquote>\n<p><a class="stream" data-stream-id="1" href="/#narrow/stream/1-garden">#garden</a></p>\n</blockquote>',
    ],
  ]),
]
