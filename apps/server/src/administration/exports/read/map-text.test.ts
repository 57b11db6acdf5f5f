import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { linkTo, mapHtml, mapMarkdown, type TextMapping } from './map-text.ts'

/** Adds 1,000 to ids below 100; larger ones are unknown. */
const mapping: TextMapping = {
  ids: { find: (_kind, id) => (id < 100 ? id + 1_000 : undefined) },
  from: { id: 1 },
  ownLink: linkTo('https://old.example'),
  to: { id: 9 as OrganizationId, url: 'https://new.example' },
  proxyPictures: (html) => html,
}
const file = 'ab/abcdefghijklmnopqrstuvwx/a.png'

test('ids and paths in Markdown are mapped, and links to other servers are kept', () => {
  const cases: [string, string][] = [
    ['@**Iris|7** @_**Iris|7**, @**Iris|700**', '@**Iris|1007** @_**Iris|1007**, @**Iris|700**'],
    [`[a](/user_uploads/1/${file})`, `[a](/user_uploads/9/${file})`],
    [`https://old.example/user_uploads/1/${file}`, `https://new.example/user_uploads/9/${file}`],
    [`https://other.example/user_uploads/1/${file}`, `https://other.example/user_uploads/1/${file}`],
    [`/user_uploads/2/${file} /user_uploads/1/short`, `/user_uploads/2/${file} /user_uploads/1/short`],
    ['#narrow/stream/5-a.20b/topic/x/near/6', '#narrow/stream/1005-a.20b/topic/x/near/1006'],
    ['https://old.example/#narrow/pm-with/5,6-group', 'https://new.example/#narrow/pm-with/1005,1006-group'],
    ['https://other.example/#narrow/stream/5-a', 'https://other.example/#narrow/stream/5-a'],
    ['https://other.example/team/#narrow/stream/5-a', 'https://other.example/team/#narrow/stream/5-a'],
    ['https://old.example/team/#narrow/stream/5-a', 'https://old.example/team/#narrow/stream/5-a'],
    ['other.example/team/#narrow/stream/5-a', 'other.example/team/#narrow/stream/5-a'],
    [`https://other.example/a/user_uploads/1/${file}`, `https://other.example/a/user_uploads/1/${file}`],
    ['https://other.example/?#narrow/stream/5-a', 'https://other.example/?#narrow/stream/5-a'],
    ['https://old.example.other.example/#narrow/near/5', 'https://old.example.other.example/#narrow/near/5'],
    ['(https://old.example/#narrow/near/5)', '(https://new.example/#narrow/near/1005)'],
    ['[a](/#narrow/near/5),/#narrow/near/5', '[a](/#narrow/near/1005),/#narrow/near/1005'],
    ['#narrow/-sender/5/topic/5/stream/name', '#narrow/-sender/1005/topic/5/stream/name'],
    ['#narrow/near/500 5|6', '#narrow/near/500 5|6'],
  ]
  for (const [text, expected] of cases) assert.equal(mapMarkdown(text, mapping), expected)
})

test('ids in HTML are mapped in attributes of tags only', () => {
  const cases: [string, string][] = [
    [
      '<span class="user-mention" data-user-id="7">@Iris</span>',
      '<span class="user-mention" data-user-id="1007">@Iris</span>',
    ],
    [
      '<span class="user-mention" data-user-id="*">@all</span>',
      '<span class="user-mention" data-user-id="*">@all</span>',
    ],
    ['<code> data-user-id="7"</code>', '<code> data-user-id="7"</code>'],
    [
      '<a class="stream" data-stream-id="5" href="/#narrow/stream/5-a">#a</a>',
      '<a class="stream" data-stream-id="1005" href="/#narrow/stream/1005-a">#a</a>',
    ],
    [
      '<img alt=":owl:" src="/user_avatars/1/emoji/images/3.png" title="owl">',
      '<img alt=":owl:" src="/user_avatars/9/emoji/images/1003.png" title="owl">',
    ],
    ['<code>/user_avatars/1/emoji/images/3.png"</code>', '<code>/user_avatars/1/emoji/images/3.png"</code>'],
    [
      `<img src="/external_content/${'a'.repeat(40)}/${Buffer.from('http://x.example/?a=1&b="2').toString('hex')}">`,
      '<img src="http://x.example/?a=1&amp;b=%222">',
    ],
  ]
  for (const [html, expected] of cases) assert.equal(mapHtml(html, mapping), expected)
})

test('only paths that contain a web address are decoded as pictures of other hosts', () => {
  const path = (url: string) => `/external_content/${'0'.repeat(40)}/${Buffer.from(url).toString('hex')}`
  const hostile = ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https:evil', '" onclick="x']
  for (const url of hostile) {
    const html = `<a href="${path(url)}">x</a>`
    assert.equal(mapHtml(html, mapping), html)
  }
  assert.equal(
    mapHtml(`<img src="${path('https://pictures.example/a" b.png')}">`, mapping),
    '<img src="https://pictures.example/a%22%20b.png">',
  )
})

test('HTML with many unclosed tags is mapped in linear time', () => {
  const html = ' <a data-user-id="5"'.repeat(10_000)
  const began = process.threadCpuUsage()
  assert.equal(mapHtml(html, mapping), html)
  // Searching for the end of each tag takes several seconds.
  assert.ok(process.threadCpuUsage(began).user < 1_000_000)
})
