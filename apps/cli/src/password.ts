import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { OperatorError, refuseWeakPassword } from '@oxbow/server'
import { warn } from './report.ts'
import type { App } from './with-app.ts'

export interface PasswordOptions {
  /** From an option of the command line. */
  given?: string | undefined
  /** The name of that option, for the warning. */
  option: string
  isOnStandardInput?: boolean | undefined
  /** False for output that a program reads: it could not answer a question. */
  mayAsk: boolean
  email: string
}

/**
 * Returns the password for a new account: from an option, from the standard input, or typed at a terminal. Undefined
 * where none was wanted. A weak one is refused.
 */
export async function chooseFirstPassword(app: App, options: PasswordOptions): Promise<string | undefined> {
  const { given, option, isOnStandardInput, mayAsk, email } = options
  if (given !== undefined) {
    warn(
      `${option} can be read by everyone on this machine, in the list of processes. ${option}-stdin cannot.`,
    )
    return checked(app, given)
  }
  if (isOnStandardInput) return checked(app, await readStandardInput())
  if (!mayAsk || !process.stdin.isTTY) return undefined
  return askTwice(app, `Password for ${email} (Enter for none): `, { isOptional: true })
}

/** Returns the password for an account: typed at a terminal, or else the first line of the standard input. */
export async function chooseNewPassword(app: App, email: string): Promise<string> {
  if (!process.stdin.isTTY) return checked(app, await readStandardInput())
  const typed = await askTwice(app, `New password for ${email}: `, { isOptional: false })
  return typed as string
}

/** What to tell the operator after creating an account that cannot sign in with a password. */
export function howToSetPassword(email: string, subdomain: string): string {
  const where = subdomain && ` --subdomain ${subdomain}`
  return `It has no password yet. To set one: oxbow user set-password --email ${email}${where}`
}

async function checked(app: App, password: string): Promise<string> {
  await refuseWeakPassword(app, password)
  return password
}

async function readStandardInput(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1)
  if (line === '') throw new OperatorError('The standard input has no password in its first line.')
  return line
}

async function askTwice(
  app: App,
  question: string,
  { isOptional }: { isOptional: boolean },
): Promise<string | undefined> {
  using prompt = openHiddenPrompt()
  const password = await prompt.ask(question)
  if (password === '' && isOptional) return undefined
  await refuseWeakPassword(app, password)
  if ((await prompt.ask('Once more: ')) !== password)
    throw new OperatorError('The two passwords are not the same. Nothing was changed.')
  return password
}

/** Asks on standard error, so that standard output holds only the result. What is typed is not shown. */
function openHiddenPrompt(): Disposable & { ask(question: string): Promise<string> } {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
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
      if (done) throw new OperatorError('No password was typed. Nothing was changed.')
      return value
    },
    [Symbol.dispose]: () => lines.close(),
  }
}
