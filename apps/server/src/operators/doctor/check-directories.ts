import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../platform/config/settings.ts'
import { getFilesDirectory } from '../../platform/files/open-file-store.ts'
import { checkBucket } from '../../platform/files/s3/check-bucket.ts'
import { readS3Settings } from '../../platform/files/s3/s3-settings.ts'
import { SetupError } from '../../platform/operator-error.ts'
import { type Outcome, ok, problem, toFinding, warning } from './finding.ts'

/** Checks that the data directory is writable, and that other users cannot read the secret in it. */
export async function checkDataDirectory({ data_dir, secret }: Config): Promise<Outcome> {
  const failure = await findWriteFailure(data_dir)
  if (failure)
    return problem(
      `The data directory ${data_dir} cannot be used: ${failure}.`,
      'Let the user that runs Oxbow write there, or name another directory with OXBOW_DATA_DIR.',
    )
  if (!existsSync(data_dir)) return ok(`${data_dir} does not exist yet; the first start creates it.`)
  const owner = await stat(data_dir)
  const file = join(data_dir, 'secret')
  const mode = secret === undefined && existsSync(file) ? (await stat(file)).mode : 0
  if ((mode & 0o077) !== 0)
    return warning(`Other users of this machine can read or change ${file}.`, `Run: chmod 600 ${file}`)
  if (process.getuid?.() === 0 && owner.uid !== 0)
    return warning(
      `The data directory ${data_dir} belongs to another user, and root may write everywhere.`,
      'Run this command as the user that runs Oxbow.',
    )
  return ok(`${data_dir} can be written.`)
}

/** Checks that uploaded files can be written and read: in a directory, or in an object store. */
export async function checkUploadedFiles(config: Config): Promise<Outcome> {
  const bucket = readS3Settings(config)
  if (bucket) {
    const message = await checkBucket(bucket).catch((error: unknown) => {
      if (error instanceof SetupError) return error.message
      throw error
    })
    return message
      ? toFinding('problem', message)
      : ok(`The bucket ${bucket.bucket} at ${bucket.endpoint} can be used.`)
  }
  const directory = getFilesDirectory(config)
  const failure = await findWriteFailure(directory)
  if (!failure) return ok(`${directory} can be written and read.`)
  const variable = config.files_dir ? 'OXBOW_FILES_DIR' : 'OXBOW_DATA_DIR'
  return problem(
    `Uploads cannot be written to ${directory}: ${failure}.`,
    `Let the user that runs Oxbow write there, or name another directory with ${variable}.`,
  )
}

const gibibyte = 1_073_741_824
/** With less free space, uploads, logs or a busy day may soon fill the disk. */
const minFreeBytes = 2 * gibibyte
/** With less free space, PostgreSQL may stop at any moment. */
const criticalFreeBytes = gibibyte / 5

/**
 * Checks the free space of the file systems that contain data of the server. `databaseDirectory` is the data
 * directory of PostgreSQL, if PostgreSQL runs on this machine and the directory is known.
 */
export async function checkDiskSpace(config: Config, databaseDirectory?: string): Promise<Outcome> {
  const directories = [
    config.data_dir,
    ...(readS3Settings(config) ? [] : [getFilesDirectory(config)]),
    ...(databaseDirectory ? [databaseDirectory] : []),
  ]
  const spaces = await Promise.all(directories.map(measureSpace))
  const least = spaces.sort((a, b) => a.free - b.free)[0]
  if (!least) return ok('No directory is used.')
  const found = `${describeBytes(least.free)} are free where ${least.directory} is.`
  const remedy = 'Free some space, or enlarge the disk.'
  if (least.free < criticalFreeBytes) return problem(found, remedy)
  return least.free < minFreeBytes ? warning(found, remedy) : ok(found)
}

async function measureSpace(directory: string): Promise<{ directory: string; free: number }> {
  try {
    const { bsize, bavail } = await statfs(directory)
    return { directory, free: bsize * bavail }
  } catch {
    const parent = dirname(directory)
    return parent === directory ? { directory, free: Number.POSITIVE_INFINITY } : measureSpace(parent)
  }
}

const describeBytes = (bytes: number): string =>
  bytes < gibibyte ? `${Math.floor(bytes / 1_048_576)} MiB` : `${(bytes / gibibyte).toFixed(1)} GiB`

/**
 * Writes, reads and removes a file. A missing directory is accepted if a node could create it. Returns the
 * reason of a failure; undefined if all of this works.
 */
async function findWriteFailure(directory: string): Promise<string | undefined> {
  const probe = join(directory, `.doctor-${randomUUID()}`)
  try {
    if (!existsSync(directory)) {
      await refuseImpossible(directory)
      return undefined
    }
    await writeFile(probe, 'written by oxbow doctor', { flag: 'wx', mode: 0o600 })
    await readFile(probe)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}

/** Throws if a node could not create the directory. */
async function refuseImpossible(directory: string): Promise<void> {
  let parent = dirname(directory)
  while (!existsSync(parent)) parent = dirname(parent)
  if (!(await stat(parent)).isDirectory()) throw new Error(`${parent} is not a directory`)
  await access(parent, constants.W_OK)
}
