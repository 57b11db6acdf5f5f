import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from '../html.ts'
import { makeMarkdown } from './markdown.ts'

const markdown = makeMarkdown()
const htmlOf = async (text: string) => (await markdown.render({ text }))?.html

test('short plain text is rendered on the main thread', async () => {
  assert.equal(await htmlOf('be **bold**'), '<p>be <strong>bold</strong></p>')
})

test('formulas and code blocks are rendered by KaTeX and highlight.js', async () => {
  assert.match((await htmlOf('$$x^2$$')) ?? '', /<span class="katex">/)
  assert.match((await htmlOf('```python\nreturn 1\n```')) ?? '', /<span class="k">return<\/span>/)
})

test('mentions are resolved from plain data, even in the worker thread', async () => {
  const lookupData = { people: [{ id: 7, fullName: 'Iris Gardener' }] }
  const long = `@**Iris Gardener** ${'and so on '.repeat(300)}`
  for (const text of ['@**Iris Gardener**', long]) {
    const rendered = await markdown.render({ text, lookupData })
    assert.deepEqual(rendered?.mentionedUserIds, [7])
    assert.match(rendered?.html ?? '', /data-user-id="7">@Iris Gardener</)
  }
})

test('render returns undefined if the HTML would be too long to store', async () => {
  // Each short formula becomes several kilobytes of HTML.
  assert.equal(
    await markdown.render({ text: '$$\\frac{\\frac{a}{b}}{\\frac{c}{d}}$$ '.repeat(250) }),
    undefined,
  )
})

test('renderShort returns the escaped text if its HTML would have more than 4,096 characters', async () => {
  assert.equal(await markdown.renderShort(''), '')
  assert.equal(await markdown.renderShort('**a**'), '<p><strong>a</strong></p>')
  assert.match(await markdown.renderShort('$$x^2$$'), /^<p><span class="katex">/)
  for (const text of ['$$\\frac{a}{b}$$ '.repeat(10), '<b> :smile: '.repeat(80)])
    assert.equal(await markdown.renderShort(text), `<p>${escapeHtml(text)}</p>`)
})

test('renderShort shows the source of a formula that cannot fit, without rendering it', async () => {
  const tex = '\\frac{a}{b}'.repeat(50)
  assert.equal(await markdown.renderShort(`$$${tex}$$`), `<p><span class="tex-error">$$${tex}$$</span></p>`)
})

test('rendering long and costly texts does not block the event loop', async () => {
  await htmlOf('$$x$$')
  const costly = [
    '$$\\frac{\\sqrt{x}}{y}$$ '.repeat(400),
    `\`\`\`javascript\n${'const a = /b/.test(c);\n'.repeat(430)}\`\`\``,
    `${'> '.repeat(200)}${'[a](b '.repeat(1_500)}`,
    '*a **b '.repeat(1_400),
  ]
  for (const text of costly) {
    // Measures three times and takes the minimum, because garbage of earlier tests may be collected during an
    // attempt. Rendering on this thread would take long every time.
    let leastMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 3; attempt++) {
      const render = () => markdown.render({ text: `${text.slice(0, 9_998)} ${attempt}` })
      leastMs = Math.min(leastMs, await measureLongestTurn(render))
    }
    assert.ok(leastMs < 20, `${text.slice(0, 30)}…: ${leastMs} ms`)
  }
})

/**
 * Measures how long this thread runs without returning to the event loop during the work, in milliseconds of CPU
 * time. The sum over all turns would include those of other nodes in this process.
 */
async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let maxMs = 0
  let last = process.threadCpuUsage()
  const endTurn = () => {
    const { user, system } = process.threadCpuUsage(last)
    maxMs = Math.max(maxMs, (user + system) / 1_000)
    last = process.threadCpuUsage()
  }
  const timer = setInterval(endTurn, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  endTurn()
  return maxMs
}
