import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { OperatorError } from '@oxbow/server'

/**
 * Opens a prompt that does not show the typed text. Questions are printed on standard error, so
 * that standard output contains only the result.
 */
export function openHiddenPrompt(): Disposable & { ask(question: string): Promise<string> } {
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silentOutput, terminal: true })
  lines.on('SIGINT', () => {
    process.stderr.write('\n')
    process.exit(130)
  })
  const typed = lines[Symbol.asyncIterator]()
  return {
    async ask(question) {
      process.stderr.write(question)
      const { value, done } = await typed.next()
      process.stderr.write('\n')
      if (done) throw new OperatorError('No password was entered. Nothing was changed.')
      return value
    },
    [Symbol.dispose]: () => lines.close(),
  }
}
