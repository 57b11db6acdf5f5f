import { createHash } from 'node:crypto'
import { OperatorError } from '../operator-error.ts'
import type { FileStore, ListedFile } from './file-store.ts'
import { explainStorageRefusal } from './storage-refusal.ts'

export interface MoveProgress {
  /** Number of files in the old store that were handled. */
  files: number
  /** Number of files that were copied, and whose copy was read back. */
  copied: number
  copiedBytes: number
  /** Number of files that were removed from the old store. */
  removed: number
  /** Number of files that stay in the old store because the new store has a different, newer file. */
  conflicts: number
  /**
   * Number of files that stay in the old store and are not copied, because they were deleted after the
   * switch to the new store.
   */
  unreferenced: number
}

export interface MoveOptions {
  /** Removes each file from the old store once its content in both stores has the same checksum. */
  removeOld?: boolean
  /**
   * Returns whether the database refers to the file. Used with `removeOld`: a file to which it does not
   * refer was deleted after the switch to the new store.
   */
  isReferenced?: (key: string) => Promise<boolean>
  /** Called after each file. */
  onProgress?: (progress: MoveProgress) => void
}

/** Maximum number of files that are handled at the same time. */
const maxConcurrent = 8
/**
 * A file counts as newer than another only if its time is later by more than this, because the clocks of the
 * stores may differ.
 */
const maxClockDifferenceMs = 600_000

/**
 * Copies all files that the new store lacks, and compares each copy with its original by checksum. A
 * different, newer file in the new store is neither replaced nor regarded as a copy. Once nodes use the new
 * store (`removeOld`), files that were deleted there are not copied again. If interrupted, the next call
 * continues: it copies only what is missing. Throws an `OperatorError` if a store fails or a copy differs.
 */
export async function moveFiles(
  from: FileStore,
  to: FileStore,
  { removeOld = false, isReferenced, onProgress = () => {} }: MoveOptions = {},
): Promise<MoveProgress> {
  const progress: MoveProgress = {
    files: 0,
    copied: 0,
    copiedBytes: 0,
    removed: 0,
    conflicts: 0,
    unreferenced: 0,
  }
  const move = async (file: ListedFile, counterpart: ListedFile | undefined): Promise<void> => {
    const { key } = file
    const isCopy = await isCopied(from, to, { file, counterpart, isExact: removeOld })
    // Nodes that already use the new store may have replaced the file there.
    const isConflict = !isCopy && counterpart !== undefined && isLater(counterpart, file)
    if (isConflict) progress.conflicts++
    else if (!isCopy) {
      const size = await copyFile(from, to, key)
      progress.copied++
      progress.copiedBytes += size
    }
    if (removeOld && !isConflict) {
      await from.remove(key)
      progress.removed++
    }
    progress.files++
    onProgress(progress)
  }
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  // A move may fail while the next file is being listed, when nothing awaits the move.
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0]
  }
  try {
    for await (const [file, counterpart] of pairFiles(from.list(''), to.list(''))) {
      if (running.size >= maxConcurrent) await Promise.race(running)
      throwFailure()
      if (removeOld && !counterpart && isReferenced && !(await isReferenced(file.key))) {
        progress.unreferenced++
        continue
      }
      const moving = move(file, counterpart)
        .catch((error: unknown) => failures.push(error))
        .then(() => void running.delete(moving))
      running.add(moving)
    }
    await Promise.all(running)
    throwFailure()
  } catch (error) {
    await Promise.allSettled(running)
    const reason = explainStorageRefusal(error)
    if (!reason) throw error
    throw new OperatorError(`The move stopped: ${reason}. Run the command again to continue.`)
  }
  return progress
}

interface Comparison {
  file: ListedFile
  counterpart: ListedFile | undefined
  /** Whether checksums are compared even if sizes and times suggest that the file was copied. */
  isExact: boolean
}

async function isCopied(
  from: FileStore,
  to: FileStore,
  { file, counterpart, isExact }: Comparison,
): Promise<boolean> {
  if (!counterpart || counterpart.size !== file.size) return false
  if (!isExact && isLater(counterpart, file)) return true
  const [original, copy] = await Promise.all([hashFile(from, file.key), hashFile(to, file.key)])
  return original === copy
}

const isLater = (one: ListedFile, other: ListedFile): boolean =>
  one.changedAt.getTime() - other.changedAt.getTime() > maxClockDifferenceMs

/**
 * Copies a file and verifies the copy by reading it. Returns its size; 0 if the file was removed meanwhile.
 */
async function copyFile(from: FileStore, to: FileStore, key: string): Promise<number> {
  const original = await from.get(key)
  if (!original) return 0
  const { size, sha256 } = await to.put(key, original.content)
  if (size !== original.size || (await hashFile(to, key)) !== sha256)
    throw new OperatorError(
      `The copy of ${key} differs from the original, which was kept. Check the new store, and run the command again.`,
    )
  return size
}

async function hashFile(files: FileStore, key: string): Promise<string | undefined> {
  const found = await files.get(key)
  if (!found) return undefined
  const hash = createHash('sha256')
  for await (const chunk of found.content) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Yields each file of the first listing with the file of the same key in the second one. Both listings must
 * be in the order of their keys, so that neither has to be kept in memory.
 */
async function* pairFiles(
  files: AsyncIterable<ListedFile>,
  others: AsyncIterable<ListedFile>,
): AsyncGenerator<[file: ListedFile, other: ListedFile | undefined]> {
  const rest = others[Symbol.asyncIterator]()
  try {
    let other = await rest.next()
    for await (const file of files) {
      while (!other.done && other.value.key < file.key) other = await rest.next()
      yield [file, !other.done && other.value.key === file.key ? other.value : undefined]
    }
  } finally {
    await rest.return?.()
  }
}
