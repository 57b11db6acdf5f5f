import { createInterface } from 'node:readline/promises'
import { OperatorError } from '@oxbow/server'

/** Asks the operator to type `expected`, and returns the typed text. Throws if there is no terminal. */
export async function askToConfirm(warning: string, expected: string): Promise<string> {
  if (!process.stdin.isTTY) throw new OperatorError(`${warning}. To confirm, add --confirm "${expected}".`)
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await prompt.question(`${warning}. Type "${expected}" to confirm: `)
  } finally {
    prompt.close()
  }
}
