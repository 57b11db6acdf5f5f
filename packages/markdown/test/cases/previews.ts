import { casesOf } from './case.ts'

const rose =
  '<div class="message_inline_image"><a href="http://x.example/rose.png"><img src="http://x.example/rose.png"></a></div>'
const moss =
  '<div class="message_inline_image"><a href="http://x.example/moss.jpg"><img src="http://x.example/moss.jpg"></a></div>'
const roseLink = '<a href="http://x.example/rose.png">http://x.example/rose.png</a>'
const mossLink = '<a href="http://x.example/moss.jpg">http://x.example/moss.jpg</a>'
const six = [1, 2, 3, 4, 5, 6].map((n) => `http://x.example/${n}.png`)
const film = 'https://www.youtube.com/watch?v=hx1mjT73xYE'
const filmLink = `<a href="${film}">${film}</a>`
const filmPreview = `<div class="youtube-video message_inline_image"><a data-id="hx1mjT73xYE" href="${film}"><img src="https://i.ytimg.com/vi/hx1mjT73xYE/default.jpg"></a></div>`
const page = { title: 'Tea & "more"', description: 'All <about> tea', image: 'https://x.example/tea.png' }

export const previewCases = [
  ...casesOf('Images', [
    ['a URL alone', 'http://x.example/rose.png', rose],
    ['in a sentence', 'Look: http://x.example/rose.png', `<p>Look: ${roseLink}</p>\n${rose}`],
    ['a paragraph after the image', 'http://x.example/rose.png\n\nnice', `${rose}<p>nice</p>`],
    ['a paragraph before the image', 'nice\n\nhttp://x.example/rose.png', `<p>nice</p>\n${rose}`],
    ['between paragraphs', 'a http://x.example/rose.png\n\nb', `<p>a ${roseLink}</p>\n${rose}<p>b</p>`],
    [
      'two in one paragraph',
      'http://x.example/rose.png http://x.example/moss.jpg',
      `<p>${roseLink} ${mossLink}</p>\n${rose}${moss}`,
    ],
    [
      'two on separate lines',
      'http://x.example/rose.png\nhttp://x.example/moss.jpg',
      `<p>${roseLink}<br>\n${mossLink}</p>\n${rose}${moss}`,
    ],
    ['two paragraphs', 'http://x.example/rose.png\n\nhttp://x.example/moss.jpg', `${rose}${moss}`],
    [
      'the same URL twice',
      'a http://x.example/rose.png\n\nb http://x.example/rose.png',
      `<p>a ${roseLink}</p>\n${rose}<p>b ${roseLink}</p>`,
    ],
    [
      'a named link',
      '[rose](http://x.example/rose.png)',
      '<p><a href="http://x.example/rose.png">rose</a></p>\n<div class="message_inline_image"><a href="http://x.example/rose.png" title="rose"><img src="http://x.example/rose.png"></a></div>',
    ],
    [
      'an upload',
      '[a.png](/user_uploads/1/ab/c/a.png)',
      '<p><a href="/user_uploads/1/ab/c/a.png">a.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/ab/c/a.png" title="a.png"><img src="/user_uploads/1/ab/c/a.png"></a></div>',
    ],
    [
      'an upload of known size',
      '[a.png](/user_uploads/1/ab/c/a.png)',
      '<p><a href="/user_uploads/1/ab/c/a.png">a.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/ab/c/a.png" title="a.png"><img data-original-content-type="image/png" data-original-dimensions="640x480" src="/user_uploads/1/ab/c/a.png"></a></div>',
      { uploads: [{ path: '1/ab/c/a.png', width: 640, height: 480, contentType: 'image/png' }] },
    ],
    [
      'an animated upload with a non-ASCII name, by its absolute URL',
      'https://chat.example/user_uploads/1/ab/c/%C3%A4.gif',
      '<div class="message_inline_image"><a href="user_uploads/1/ab/c/%C3%A4.gif"><img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="2x1" src="user_uploads/1/ab/c/%C3%A4.gif"></a></div>',
      {
        uploads: [{ path: '1/ab/c/ä.gif', width: 2, height: 1, contentType: 'image/gif', isAnimated: true }],
      },
    ],
    [
      'the size of an upload is not used for other hosts',
      'http://x.example/user_uploads/1/ab/c/a.png',
      '<div class="message_inline_image"><a href="http://x.example/user_uploads/1/ab/c/a.png"><img src="http://x.example/user_uploads/1/ab/c/a.png"></a></div>',
      { uploads: [{ path: '1/ab/c/a.png', width: 640, height: 480, contentType: 'image/png' }] },
    ],
    [
      'a file extension in capitals',
      'http://x.example/A.PNG',
      '<div class="message_inline_image"><a href="http://x.example/A.PNG"><img src="http://x.example/A.PNG"></a></div>',
    ],
    [
      'a query after the path',
      'http://x.example/a.gif?s=1',
      '<div class="message_inline_image"><a href="http://x.example/a.gif?s=1"><img src="http://x.example/a.gif?s=1"></a></div>',
    ],
    [
      'webp',
      'http://x.example/a.webp',
      '<div class="message_inline_image"><a href="http://x.example/a.webp"><img src="http://x.example/a.webp"></a></div>',
    ],
    [
      'not an SVG file',
      'http://x.example/a.svg',
      '<p><a href="http://x.example/a.svg">http://x.example/a.svg</a></p>',
    ],
    [
      'not a PDF file',
      'http://x.example/a.pdf',
      '<p><a href="http://x.example/a.pdf">http://x.example/a.pdf</a></p>',
    ],
    ['not by the host name alone', 'http://x.png', '<p><a href="http://x.png">http://x.png</a></p>'],
    ['not in a quote', '> http://x.example/rose.png', `<blockquote>\n<p>${roseLink}</p>\n</blockquote>`],
    [
      'not in a fenced quote',
      '```quote\nhttp://x.example/rose.png\n```',
      `<blockquote>\n<p>${roseLink}</p>\n</blockquote>`,
    ],
    ['not in code', '`http://x.example/rose.png`', '<p><code>http://x.example/rose.png</code></p>'],
    ['a URL alone in a list item', '* http://x.example/rose.png', `<ul>\n<li>${rose}</li>\n</ul>`],
    [
      'a URL after text in a list item',
      '* see http://x.example/rose.png',
      `<ul>\n<li>see ${roseLink}${rose}</li>\n</ul>`,
    ],
    [
      'no preview if there are six links',
      six.join(' '),
      `<p>${six.map((url) => `<a href="${url}">${url}</a>`).join(' ')}</p>`,
    ],
    [
      'links to streams count towards the limit',
      `${six.slice(0, 5).join(' ')} #**garden**`,
      `<p>${six
        .slice(0, 5)
        .map((url) => `<a href="${url}">${url}</a>`)
        .join(' ')} <a class="stream" data-stream-id="1" href="/#narrow/stream/1-garden">#garden</a></p>`,
    ],
    [
      'a repeated link counts once towards the limit',
      `${'http://x.example/ '.repeat(6)}http://x.example/rose.png`,
      `<p>${'<a href="http://x.example/">http://x.example/</a> '.repeat(6)}${roseLink}</p>\n${rose}`,
    ],
    ['CommonMark image syntax', '![rose](http://x.example/rose.png)', `<p>![rose](${roseLink})</p>\n${rose}`],
    ['previews switched off', 'http://x.example/rose.png', `<p>${roseLink}</p>`, { previews: false }],
    ['in bold', '** http://x.example/rose.png **', `<p><strong> ${roseLink} </strong></p>\n${rose}`],
    [
      'an image on GitHub',
      'https://github.com/iris/moor/blob/main/a/rose.png',
      '<div class="message_inline_image"><a href="https://github.com/iris/moor/blob/main/a/rose.png"><img src="https://raw.githubusercontent.com/iris/moor/main/a/rose.png"></a></div>',
    ],
  ]),
  ...casesOf('Videos and pages', [
    ['a video', film, `<p>${filmLink}</p>\n${filmPreview}`],
    [
      'a video preview is at the end of the message',
      `${film}\n\nnice`,
      `<p>${filmLink}</p>\n<p>nice</p>\n${filmPreview}`,
    ],
    [
      'a short URL of a video',
      'https://youtu.be/hx1mjT73xYE',
      '<p><a href="https://youtu.be/hx1mjT73xYE">https://youtu.be/hx1mjT73xYE</a></p>\n<div class="youtube-video message_inline_image"><a data-id="hx1mjT73xYE" href="https://youtu.be/hx1mjT73xYE"><img src="https://i.ytimg.com/vi/hx1mjT73xYE/default.jpg"></a></div>',
    ],
    [
      'a video host without previews',
      'https://vimeo.com/246979354',
      '<p><a href="https://vimeo.com/246979354">https://vimeo.com/246979354</a></p>',
    ],
    [
      'a page',
      'https://tea.example/',
      '<p><a href="https://tea.example/">https://tea.example/</a></p>\n<div class="message_embed"><a class="message_embed_image" href="https://tea.example/" style="background-image: url(https://x.example/tea.png)"></a><div class="data-container"><div class="message_embed_title"><a href="https://tea.example/" title="Tea &amp; &quot;more&quot;">Tea &amp; "more"</a></div><div class="message_embed_description">All &lt;about&gt; tea</div></div></div>',
      { pages: { 'https://tea.example/': page } },
    ],
    [
      'the query in the URL of a page image is kept',
      'https://tea.example/',
      '<p><a href="https://tea.example/">https://tea.example/</a></p>\n<div class="message_embed"><a class="message_embed_image" href="https://tea.example/" style="background-image: url(https://x.example/tea.png?w=6&amp;h=4)"></a><div class="data-container"><div class="message_embed_title"><a href="https://tea.example/" title="T">T</a></div><div class="message_embed_description">D</div></div></div>',
      {
        pages: {
          'https://tea.example/': {
            title: 'T',
            description: 'D',
            image: 'https://x.example/tea.png?w=6&h=4',
          },
        },
      },
    ],
    [
      'the URL of a page image cannot break out of the style',
      'https://tea.example/',
      '<p><a href="https://tea.example/">https://tea.example/</a></p>\n<div class="message_embed"><a class="message_embed_image" href="https://tea.example/" style="background-image: url(https://x.example/a%29%3Bcolor:red)"></a><div class="data-container"><div class="message_embed_title"><a href="https://tea.example/" title="T">T</a></div><div class="message_embed_description">D</div></div></div>',
      {
        pages: {
          'https://tea.example/': { title: 'T', description: 'D', image: 'https://x.example/a);color:red' },
        },
      },
    ],
  ]),
]
