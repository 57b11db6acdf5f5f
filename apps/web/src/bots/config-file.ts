import type { Bot } from '@oxbow/contract'

/** Returns the content of the file from which clients of the protocol read their account. */
export const writeConfig = ({ email }: Pick<Bot, 'email'>, api_key: string): string =>
  `[api]\nemail=${email}\nkey=${api_key}\nsite=${location.origin}\n`

/** Returns the name under which the file is saved, such as `herald.zuliprc`. */
export function nameConfigFile({ email }: Pick<Bot, 'email'>): string {
  const [name = ''] = email.split('@')
  return `${name.endsWith('-bot') ? name.slice(0, -'-bot'.length) : name}.zuliprc`
}

/** The browser has begun to save a file after this time. */
const readMs = 10_000

/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin to read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), readMs)
}
