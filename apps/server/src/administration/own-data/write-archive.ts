import { ApiError } from '@oxbow/contract'
import { nameInPath, uploadKey } from '../../messages/uploads/names.ts'
import { findActiveReader } from '../../messages/uploads/queries.ts'
import type { Reader } from '../../messages/visibility.ts'
import { avatarKey } from '../../people/users/avatar/avatar-files.ts'
import type { App } from '../../platform/app.ts'
import { buildHeader, endOfArchive, paddingAfter } from '../../platform/archive/tar-format.ts'
import { listOwnMessages, listOwnUploads, readOwnAccount } from './queries.ts'

/** Messages per file of the archive. Each file is built in memory and has at most about 2 MB. */
const messagesPerFile = 200
const uploadsPerPage = 100
/** Maximum duration of an export. Longer ones are aborted. */
const maxSeconds = 3_600

/**
 * Yields a tar archive of the account's data: `account.json`, the picture, the messages and the
 * uploads. Memory does not grow with their number. Fails if the account is deactivated in the
 * meantime, or after an hour.
 */
export async function* writeOwnArchive(app: App, reader: Reader): AsyncGenerator<Buffer> {
  const time = new Date()
  const deadline = performance.now() + maxSeconds * 1_000
  const check = async (): Promise<Reader> => {
    if (performance.now() > deadline) throw new Error('an export took more than an hour and was cut off')
    const current = await findActiveReader(app.db, reader)
    if (!current) throw new ApiError('ACCOUNT_DEACTIVATED')
    return current
  }
  const json = (name: string, value: unknown) =>
    wholeFile(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`), time)
  const { data, avatar_version } = await readOwnAccount(app.db, reader)
  yield* json('account.json', data)
  if (avatar_version !== null) {
    const { organization_id, user_id: id } = reader
    const key = avatarKey({ organization_id, id, version: avatar_version }, 'medium')
    yield* storedFile(app, key, 'avatar.png', time)
  }
  for (let after = 0, number = 1; ; number++) {
    const messages = await listOwnMessages(app.db, await check(), after, messagesPerFile)
    const last = messages.at(-1)
    if (!last) break
    after = last.id
    const lines = messages.map((message) => `${JSON.stringify(message.data)}\n`).join('')
    yield* wholeFile(`messages/${String(number).padStart(6, '0')}.jsonl`, Buffer.from(lines), time)
  }
  for (let after = 0; ; ) {
    const uploads = await listOwnUploads(app.db, await check(), after, uploadsPerPage)
    const last = uploads.at(-1)
    if (!last) break
    after = last.id
    for (const { id, path_id, file_name, content_type, created_at } of uploads) {
      await check()
      yield* storedFile(app, uploadKey(path_id), `uploads/${id}/${nameInPath(path_id)}`, time)
      yield* json(`uploads/${id}.json`, { id, file_name, content_type, created_at })
    }
  }
  yield endOfArchive
}

function* wholeFile(name: string, content: Buffer, time: Date): Generator<Buffer> {
  yield buildHeader(name, content.length, time)
  yield content
  yield paddingAfter(content.length)
}

/** Yields a file of the file store, or nothing if the file was removed in the meantime. */
async function* storedFile({ files }: App, key: string, name: string, time: Date): AsyncGenerator<Buffer> {
  const stored = await files.get(key)
  if (!stored) return
  try {
    yield buildHeader(name, stored.size, time)
    yield* stored.content
    yield paddingAfter(stored.size)
  } finally {
    stored.content.destroy()
  }
}
