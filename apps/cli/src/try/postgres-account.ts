import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '@oxbow/server'

export interface Account {
  uid: number
  gid: number
}

/**
 * Returns the account to run PostgreSQL as if this process runs as root, which PostgreSQL refuses:
 * the owner of the directory, `postgres` or `nobody`. Returns undefined for other users.
 */
export function findPostgresAccount(directory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const account = findOtherAccount(directory)
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder)) {
    if (canEnter(folder, account)) continue
    throw new OperatorError(
      `PostgreSQL does not run as root, and the account that it would run as cannot enter ${folder}. ` +
        'Choose another directory with --directory, or run this command as another user.',
    )
  }
  return account
}

function findOtherAccount(directory: string): Account {
  const { uid, gid } = statSync(directory)
  if (uid !== 0) return { uid, gid }
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , foundUid, foundGid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (foundUid && foundGid) return { uid: Number(foundUid), gid: Number(foundGid) }
  }
  throw new OperatorError('PostgreSQL does not run as root. Run this command as another user.')
}

function canEnter(folder: string, { uid, gid }: Account): boolean {
  const { mode, uid: owner, gid: group } = statSync(folder)
  const bits = owner === uid ? mode >> 6 : group === gid ? mode >> 3 : mode
  return (bits & 1) === 1
}
