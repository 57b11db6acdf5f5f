import type { ListedFile } from './file-store.ts'

/**
 * Yields each file of the first listing with the file of the same key in the second one. Both listings must
 * be in the order of their keys, so that neither has to be kept in memory.
 */
export async function* pairFiles(
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
