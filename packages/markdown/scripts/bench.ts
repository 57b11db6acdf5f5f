import MarkdownIt from 'markdown-it'
import { createRenderer, listLanguages, loadHighlighter, loadMathEngine } from '../src/index.ts'
import { contextOf } from '../test/cases/index.ts'
import { typicalMessages } from './typical-messages.ts'

/**
 * Measures messages per second of this package with all features, compared with markdown-it and its
 * default rules. Each round measures both for a short time, and the median of the rounds is used, so
 * that other programs on the machine slow both equally.
 */
const renderer = createRenderer({
  highlight: await loadHighlighter(listLanguages()),
  math: await loadMathEngine(),
})
const bare = new MarkdownIt()
const context = contextOf()
const rounds = 60
const roundMs = 60

const ownRate = () => perSecond((message) => renderer.render(message, context))
const bareRate = () => perSecond((message) => bare.render(message))

for (let warmUp = 0; warmUp < 12; warmUp++) [ownRate(), bareRate()]
const rates = Array.from({ length: rounds }, () => ({ ours: ownRate(), theirs: bareRate() }))
const ratio = median(rates.map((rate) => rate.ours / rate.theirs))
const rounded = [median(rates.map((rate) => rate.ours)), median(rates.map((rate) => rate.theirs))].map(
  Math.round,
)
process.stdout.write(
  `oxbow ${rounded[0]} messages/s, bare markdown-it ${rounded[1]} messages/s, ratio ${ratio.toFixed(2)}\n`,
)
if (ratio < 0.5) process.exitCode = 1

function perSecond(render: (message: string) => unknown): number {
  const start = performance.now()
  let messages = 0
  while (performance.now() - start < roundMs) {
    for (const message of typicalMessages) render(message)
    messages += typicalMessages.length
  }
  return (messages * 1000) / (performance.now() - start)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
