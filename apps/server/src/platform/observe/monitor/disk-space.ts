import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { getFilesDirectory } from '../../files/open-file-store.ts'
import { readS3Settings } from '../../files/s3/s3-settings.ts'

export interface DiskSpace {
  directory: 'data' | 'files'
  free: number
  size: number
}

/** Measures the file systems of the data directory and of the files, if those are not in an object store. */
export async function measureDisks(config: Config): Promise<DiskSpace[]> {
  const paths = [
    { directory: 'data', path: config.data_dir } as const,
    ...(readS3Settings(config) ? [] : [{ directory: 'files', path: getFilesDirectory(config) } as const]),
  ]
  const spaces = await Promise.all(
    paths.map(async ({ directory, path }) => ({ directory, space: await measureSpace(path) })),
  )
  return spaces.flatMap(({ directory, space }) => (space ? [{ directory, ...space }] : []))
}

/** Measures the file system of a path, or of its nearest existing parent. */
async function measureSpace(path: string): Promise<{ free: number; size: number } | undefined> {
  try {
    const { bsize, bavail, blocks } = await statfs(path)
    return { free: bsize * bavail, size: bsize * blocks }
  } catch {
    const parent = dirname(path)
    return parent === path ? undefined : measureSpace(parent)
  }
}
