import { text } from 'node:stream/consumers'
import { OperatorError, refuseWeakPassword } from '@oxbow/server'
import { openHiddenPrompt } from './hidden-prompt.ts'
import { warn } from './report.ts'
import type { App } from './with-app.ts'

export interface PasswordOptions {
  /** The value of a command-line option. */
  password?: string | undefined
  /** The name of that option, for the warning about it. */
  option: string
  isOnStandardInput?: boolean | undefined
  /** False if a program reads the output, because it could not answer a prompt. */
  canPrompt: boolean
  email: string
}

/**
 * Returns the password of a new account: from an option, from standard input, or typed at a
 * terminal. Returns undefined if none was given. Throws if the password is weak.
 */
export async function chooseFirstPassword(app: App, options: PasswordOptions): Promise<string | undefined> {
  const { password, option, isOnStandardInput, canPrompt, email } = options
  if (password !== undefined) {
    warn(
      `Other users of this machine can see ${option} in the list of processes. Use ${option}-stdin instead.`,
    )
    return refuseIfWeak(app, password)
  }
  if (isOnStandardInput) return refuseIfWeak(app, await readStandardInput())
  if (!canPrompt || !process.stdin.isTTY) return undefined
  return askTwice(app, `Password for ${email} (Enter for none): `, { isOptional: true })
}

/** Returns a new password: typed at a terminal, or otherwise the first line of standard input. */
export async function chooseNewPassword(app: App, email: string): Promise<string> {
  if (!process.stdin.isTTY) return refuseIfWeak(app, await readStandardInput())
  const typed = await askTwice(app, `New password for ${email}: `, { isOptional: false })
  return typed as string
}

/** Returns a hint for the operator about an account that was created without a password. */
export function describeSetPassword(email: string, subdomain: string): string {
  const subdomainOption = subdomain && ` --subdomain ${subdomain}`
  return `The account has no password yet. To set one: oxbow user set-password --email ${email}${subdomainOption}`
}

async function refuseIfWeak(app: App, password: string): Promise<string> {
  await refuseWeakPassword(app, password)
  return password
}

async function readStandardInput(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1)
  if (line === '')
    throw new OperatorError('The first line of standard input is empty; it must contain the password.')
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
  if ((await prompt.ask('Repeat the password: ')) !== password)
    throw new OperatorError('The two passwords differ. Nothing was changed.')
  return password
}
