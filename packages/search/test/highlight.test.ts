import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight, listContentTerms, listTopicTerms, parseQuery } from '@oxbow/search'
import { bySize } from '@oxbow/testkit/size'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { generateInput } from '../../markdown/test/support/generate.ts'
import { createRandom, type Random } from '../../markdown/test/support/random.ts'
import { readMessages, readQueries } from '../relevance/evaluate.ts'
import { readHtml } from '../src/html-text.ts'
import { messageOf } from './message.ts'

const shown = (query: string, content: string, topic?: string) =>
  highlight([parseQuery(query)], messageOf(content, topic))

test('every match is highlighted as it appears in the text', () => {
  assert.deepEqual(shown('lunch', 'discuss lunch after lunch', 'lunch plans'), {
    match_content:
      '<p>discuss <span class="highlight">lunch</span> after <span class="highlight">lunch</span></p>',
    match_subject: '<span class="highlight">lunch</span> plans',
  })
  assert.equal(
    shown('https://google.com', 'https://google.com')?.match_content,
    '<p><a href="https://google.com">https://<span class="highlight">google.com</span></a></p>',
  )
})

test('every matching part of a name is highlighted', () => {
  assert.equal(
    shown('user', 'userByUser')?.match_content,
    '<p><span class="highlight">user</span>By<span class="highlight">User</span></p>',
  )
})

test('a topic is escaped inside and outside of highlights', () => {
  assert.equal(
    shown('b c', 'x', `a <b> & "c" 'd'`)?.match_subject,
    'a &lt;<span class="highlight">b</span>&gt; &amp; &quot;<span class="highlight">c</span>&quot; &#39;d&#39;',
  )
})

test('highlights span tags but never split a tag or an entity', () => {
  assert.equal(
    shown('roses', '**ro**ses')?.match_content,
    '<p><strong><span class="highlight">ro</span></strong><span class="highlight">ses</span></p>',
  )
  assert.equal(shown('a&b', 'x a&b y')?.match_content, '<p>x <span class="highlight">a&amp;b</span> y</p>')
  assert.equal(
    shown('example', '[the example](https://example.com/example)')?.match_content,
    '<p><a href="https://example.com/example">the <span class="highlight">example</span></a></p>',
  )
})

test('the text of HTML with many tags is read in little processor time', () => {
  const rendered_content = '<p>a</p>'.repeat(100_000)
  const began = process.threadCpuUsage()
  assert.equal(readHtml(rendered_content).text, `${'\na'.repeat(100_000)}\n`)
  assert.ok(process.threadCpuUsage(began).user < 800_000)
})

type Node = DefaultTreeAdapterTypes.ChildNode

/** Converts a tree to nested lists without highlight spans, and joins the texts that the spans split. */
function plainTree(nodes: readonly Node[]): unknown[] {
  const tree: unknown[] = []
  for (const node of nodes.flatMap(withoutHighlight)) {
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode
      const last = tree.at(-1)
      if (typeof last === 'string') tree[tree.length - 1] = last + value
      else tree.push(value)
    } else {
      const { attrs = [], childNodes = [] } = node as DefaultTreeAdapterTypes.Element
      tree.push([node.nodeName, attrs.map(({ name, value }) => `${name}=${value}`), plainTree(childNodes)])
    }
  }
  return tree
}

function withoutHighlight(node: Node): Node[] {
  return isHighlight(node)
    ? (node as DefaultTreeAdapterTypes.Element).childNodes.flatMap(withoutHighlight)
    : [node]
}

function isHighlight(node: Node): boolean {
  if (node.nodeName !== 'span') return false
  const [attribute, ...others] = (node as DefaultTreeAdapterTypes.Element).attrs
  return others.length === 0 && attribute?.name === 'class' && attribute.value === 'highlight'
}

const treeOf = (html: string) => plainTree(parseFragment(html).childNodes)
const spans = (html: string) => html.split('<span class="highlight">').length - 1

function check(query: string, content: string, topic: string): boolean {
  const message = messageOf(content, topic)
  const parsed = parseQuery(query)
  const found = highlight([parsed], message)
  if (!found) return false
  const received = `${JSON.stringify(query)} in ${JSON.stringify(content)}`
  const before = spans(message.rendered_content)
  assert.deepEqual(treeOf(found.match_content), treeOf(message.rendered_content), received)
  assert.deepEqual(treeOf(found.match_subject), [topic], received)
  assert.ok(spans(found.match_content) - before + spans(found.match_subject) > 0, received)
  const words = new Set([...listContentTerms(message.rendered_content), ...listTopicTerms(topic)])
  for (const need of parsed.needs)
    assert.ok(
      need.some((word) => words.has(word)),
      `${received}: the index finds it`,
    )
  return true
}

test('highlighting random texts keeps their structure and text', () => {
  const random = createRandom(7)
  const rounds = bySize({ gate: 1_250, long: 2_500 })
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const content = generateInput(random)
    if (check(makeQuery(content, random), content, 'a <b> & c')) found++
  }
  assert.ok(found > rounds * 0.28, `only ${found} of them were found`)
})

/** Returns a query for a text: some of its characters, sometimes quoted, or one of its words. */
function makeQuery(text: string, random: Random): string {
  const characters = [...text.replace(/\s+/g, ' ')]
  const start = random.below(characters.length)
  const part = characters.slice(start, start + 1 + random.below(12)).join('')
  return random.chance(0.1) ? `"${part}"` : random.pick([part, ...text.split(/\s+/)])
}

test('highlighting random texts of other scripts keeps their structure and text', () => {
  const messages = readMessages()
  for (const { query } of readQueries())
    for (const { content, topic } of messages.filter((_, index) => index % 40 === 0))
      check(query, content, topic)
})
