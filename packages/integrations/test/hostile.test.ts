import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLookup, createRenderer } from '@oxbow/markdown'
import { sampleInGate } from '@oxbow/testkit/size'
import type { Outcome } from '../src/kernel/outcome.ts'
import { type FixtureDelivery, listServices, readDeliveries } from './support/deliveries.ts'
import { fieldsIn, type JsonField, withValue } from './support/json-fields.ts'

const hostile = {
  'a wildcard mention': '@**all**',
  'a group mention': '@*group*',
  'a mention that contains NUL': '@\0**all** @\u202e*group*',
  'half a mention': 'iris @',
  'a mention of a user': 'ask @**Iris Moor** or @_**Iris Moor|7** **@**all**',
  'a script in a label': '](javascript:alert(1))',
  'a script in a link': '[here](javascript:alert(1)) <javascript:alert(1)>',
  'open brackets': '[[[ (( ** ` {{',
  'closing brackets': ')) ]]] ** ` }}',
  'a fence': '```',
  'a fence of tildes': '~~~~~ quote',
  'a fence after words': 'words\n```\nmore\n~~~ quote\nand more',
  'fences inside fences': '``` quote\n```` spoiler x\n~~~js\n@**all**',
  'a spoiler': '```spoiler @**all**\nhidden',
  'direction marks': '\u202e\u2067right to left\u200f',
  'only invisible marks': '\u200b\u200e\u202e',
  newlines: 'one\n\n* two\r\n# three\n\n    four\n> five',
  'a heading': '# one',
  markup: '<img src=x onerror=alert(1)> $$\\frac{1}{2}$$ :smile: <time:now> !avatar(a) /me',
  'half a character': '\ud83d and \udc00',
  NUL: 'a\0b',
  'a URL that ends early': 'https://x.example/a)](javascript:alert(1))',
  'a URL with a mention': 'https://x.example/@**all**/<b>"\'`',
}

/** Hostile texts that replace one value of a payload at a time. */
const hostileValues = {
  'all texts without line breaks': Object.values(hostile)
    .filter((text) => !text.includes('\n') && !text.startsWith('https:'))
    .join(' '),
  'a fence': '```',
  'all texts with line breaks': Object.values(hostile)
    .filter((text) => text.includes('\n'))
    .join('\n'),
  'a URL': `${hostile['a URL that ends early']}@**all**/<b>"'\``,
  'only invisible marks': hostile['only invisible marks'],
}

const long = {
  'a long text': 'long '.repeat(20_000),
  'a long word of many bytes': '長'.repeat(100_000),
  'many fences': '```\n~~~ quote\n'.repeat(5_000),
  'a long line of brackets': '[('.repeat(50_000),
  'a long URL': `https://x.example/${'a'.repeat(100_000)}`,
}

/** Texts and URLs that are searched for in messages, to find the values that a message shows. */
const probes = ['Zq7 probe', 'https://probe.example/Zq7']

for (const service of await listServices())
  test(`${service}: no text in a payload mentions anyone, breaks formatting or exceeds the limits`, async () => {
    // Long texts are slow to check, so each path of a service is checked with them once only.
    const pathsWithLongTexts = new Set<string>()
    for (const delivery of await readDeliveries(service)) {
      const shown = listShown(delivery)
      for (const [kind, text] of sampleInGate(Object.entries(hostile), 6))
        withAll(shown, text, () => check(delivery, `all texts = ${kind}`))
      for (const field of shown) {
        const texts = { ...hostileValues, ...(pathsWithLongTexts.has(field.path) ? {} : long) }
        pathsWithLongTexts.add(field.path)
        for (const [kind, text] of sampleInGate(Object.entries(texts), 1))
          withValue(field, text, () => check(delivery, `${field.path} = ${kind}`))
      }
    }
  })

test('bitbucket: a path of many slashes is read in linear time', async () => {
  const delivery = (await readDeliveries('bitbucket')).find(({ name }) => name.includes('many_commits'))
  const paths = fieldsIn(delivery?.payload).filter(({ key }) => key === 'absolute_url')
  assert.equal(paths.length, 1)
  const began = process.threadCpuUsage()
  for (const field of paths) withValue(field, `${'/'.repeat(20_000)}a`, () => delivery?.translate())
  // Searching from each slash takes seconds.
  assert.ok(process.threadCpuUsage(began).user < 1_000_000)
})

function listShown(delivery: FixtureDelivery): JsonField[] {
  return fieldsIn(delivery.payload).filter((field) => {
    if (typeof field.holder[field.key] !== 'string') return false
    return probes.some((probe) =>
      withValue(field, probe, () => JSON.stringify(delivery.translate()).includes('Zq7')),
    )
  })
}

function withAll(fields: readonly JsonField[], value: string, run: () => void): void {
  const [first, ...others] = fields
  if (first) withValue(first, value, () => withAll(others, value, run))
  else run()
}

const checked = new Set<string>()

function check(delivery: FixtureDelivery, change: string): void {
  const received = `${delivery.name}.json with ${change}`
  let outcome: Outcome
  try {
    outcome = delivery.translate()
  } catch (error) {
    throw new Error(`${received} throws`, { cause: error })
  }
  if (outcome.kind !== 'messages') return
  for (const { topic, content } of outcome.messages) {
    checkTopic(topic, received)
    // Most hostile texts produce messages that were checked before.
    if (checked.has(content)) continue
    checked.add(content)
    checkContent(content, received)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
const controls = /[\0-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/

function checkTopic(topic: string, received: string): void {
  assert.ok(Array.from(topic).length <= 60, `${received}: the topic is too long`)
  assert.ok(topic.trim() !== '' && topic.isWellFormed(), `${received}: ${JSON.stringify(topic)}`)
  assert.doesNotMatch(topic, controls, received)
  assert.doesNotMatch(topic, /\n/, received)
}

const { render } = createRenderer()
const lookup = createLookup({
  people: [{ id: 7, fullName: 'Iris Moor' }],
  groups: [{ id: 3, name: 'group' }],
})
const last = 'This is the last line.'

function checkContent(content: string, received: string): void {
  const shown = `${received}: ${content.slice(0, 2_000)}`
  assert.ok(Buffer.byteLength(content) <= 10_000, `${received}: the content is too long`)
  assert.ok(content.isWellFormed(), shown)
  assert.doesNotMatch(content, controls, shown)

  const { html, mentionedUserIds, mentionedGroupIds, mentionsWildcard } = render(`${content}\n\n${last}`, {
    lookup,
  })

  assert.deepEqual([...mentionedUserIds, ...mentionedGroupIds], [], shown)
  assert.equal(mentionsWildcard, false, shown)
  assert.doesNotMatch(html, /href="(?!https?:|mailto:|\/|#)/i, shown)
  assert.ok(html.endsWith(`<p>${last}</p>`), `${shown}\n\nleaves a block open: ${html.slice(-500)}`)
}
