import { readFile } from 'node:fs/promises'
import { OperatorError } from '@oxbow/server'
import { openHiddenPrompt } from './hidden-prompt.ts'

const minCharacters = 12

export interface PassphraseOptions {
  /** A file whose first line is the passphrase. */
  file?: string | undefined
  /** Whether the passphrase is for a new backup. It is then typed twice and has a minimum length. */
  isNew: boolean
}

/**
 * Returns the passphrase for the secret in a backup: from a file, from the environment, or typed at
 * a terminal.
 */
export async function choosePassphrase({ file, isNew }: PassphraseOptions): Promise<string> {
  const passphrase = file
    ? await readFirstLine(file)
    : process.env.OXBOW_BACKUP_PASSPHRASE || (await ask(isNew))
  if (isNew && passphrase.length < minCharacters)
    throw new OperatorError(
      `The passphrase has fewer than ${minCharacters} characters. Anybody who has the backup can try to guess it.`,
    )
  return passphrase
}

async function readFirstLine(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The passphrase cannot be read: ${error.message}`)
  })
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function ask(isNew: boolean): Promise<string> {
  if (!process.stdin.isTTY)
    throw new OperatorError(
      'The secret of the backup needs a passphrase. Give it with --passphrase-file or OXBOW_BACKUP_PASSPHRASE, or type it at a terminal.',
    )
  using prompt = openHiddenPrompt()
  const passphrase = await prompt.ask('Passphrase of the secret in the backup: ')
  if (isNew && (await prompt.ask('Repeat the passphrase: ')) !== passphrase)
    throw new OperatorError('The two passphrases differ. Nothing was written.')
  return passphrase
}
