import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceMentions } from './replace-mentions.ts'

const span = (name: string, id: number) => `<span class="user-mention" data-user-id="${id}">${name}</span>`

test('replaceMentions replaces every form of a mention of one person, and keeps other text', () => {
  const replaced = replaceMentions(
    {
      content: 'Ask @**Iris O&K**, @_**iris o&k|7**, @**Older Name|7** or @**Otto|8**; Iris O&K said',
      rendered_content: `<p>Ask ${span('@Iris O&amp;K', 7)}, <span class="user-mention silent" data-user-id="7">Iris O&amp;K</span>, ${span('@Otto', 8)}; Iris O&amp;K said</p>`,
    },
    7,
  )

  assert.deepEqual(replaced, {
    names: new Set(['Iris O&K']),
    content:
      'Ask @**Deleted user|7**, @_**Deleted user|7**, @**Deleted user|7** or @**Otto|8**; Iris O&K said',
    rendered_content: `<p>Ask ${span('@Deleted user', 7)}, <span class="user-mention silent" data-user-id="7">Deleted user</span>, ${span('@Otto', 8)}; Iris O&amp;K said</p>`,
  })
})

test('replaceMentions returns undefined for a message that mentions only others', () => {
  const text = { content: '@**Otto|77**', rendered_content: span('@Otto', 77) }
  assert.equal(replaceMentions(text, 7), undefined)
})

test('replaceMentions keeps a mention of another person who has the same name and another id', () => {
  const content = '@**Iris|7** and @**Iris|9**'
  const rendered_content = `${span('@Iris', 7)} and ${span('@Iris', 9)}`
  assert.deepEqual(replaceMentions({ content, rendered_content }, 7), {
    names: new Set(['Iris']),
    content: '@**Deleted user|7** and @**Iris|9**',
    rendered_content: `${span('@Deleted user', 7)} and ${span('@Iris', 9)}`,
  })
})

test('replaceMentions replaces the name where the HTML shows the syntax of a mention', () => {
  const replaced = replaceMentions(
    {
      content: '@**O&K** `@**O&K**` [@_**O&K|7**](x) @**Older|7** @**Otto|8**',
      rendered_content: `${span('@O&amp;K', 7)} <code>@**O&amp;K**</code> <a href="x">@_**O&amp;K|7**</a> @<strong>Older|7</strong> @<strong>Otto|8</strong>`,
    },
    7,
  )

  assert.equal(
    replaced?.rendered_content,
    `${span('@Deleted user', 7)} <code>@**Deleted user|7**</code> <a href="x">@_**Deleted user|7**</a> @<strong>Deleted user|7</strong> @<strong>Otto|8</strong>`,
  )
})
