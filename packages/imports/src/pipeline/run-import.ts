import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from '../model/source.ts'
import { Tally, type TallyState } from '../report/tally.ts'
import { FileSource } from './files.ts'
import { MergeSort } from './merge-sort.ts'
import type { ImportOptions } from './options.ts'
import { makeRender } from './render.ts'
import { type Scan, type ScannedMessage, scanMessages } from './scan.ts'
import type { ImportSink } from './sink.ts'
import { Team } from './team.ts'
import { type Placed, placeThreads } from './threads.ts'
import { writeMessages } from './write-messages.ts'
import { writeTeam } from './write-team.ts'

export interface RunOptions {
  adapter: Adapter
  /** Changes whenever the archive does. */
  fingerprint: string
  options: ImportOptions
  sink: ImportSink
  /** Private folder for sorted records. A run that was killed continues with the steps that it completed. */
  work: string
  onProgress?: ((step: string, done: number, total: number) => void) | undefined
}

export interface ImportResult {
  team: Team
  tally: Tally
  messages: number
}

/** The results of a completed step, besides its sorted records. */
interface ScanStep {
  scan: Scan
  tally: TallyState
}
interface PlaceStep {
  messages: number
  tally: TallyState
}

/** Incremented when the records between two steps change their form. */
const pipelineVersion = 1

/**
 * Converts an archive: reads it, sorts its messages by thread and then by time, and writes the records of an
 * export. The same archive with the same options gives the same records. Memory does not grow with the number
 * of messages.
 */
export async function runImport(run: RunOptions): Promise<ImportResult> {
  const { adapter, options, sink, work, onProgress = () => {} } = run
  await mkdir(work, { recursive: true, mode: 0o700 })
  const steps = await Steps.open(work, describeInput(run))
  const [threads, placed] = [join(work, 'threads'), join(work, 'placed')]

  const scanned = await steps.take<ScanStep>('scan', async () => {
    const tally = new Tally()
    const sorted = await new MergeSort<ScannedMessage>(threads).begin()
    const scan = await scanMessages(adapter, options, tally, sorted, (done) => onProgress('reading', done, 0))
    return { scan, tally: tally.state }
  })
  const firstPerson = Math.max(0, ...sink.systemAccounts.map(({ id }) => id)) + 1
  const seen = { strangers: new Map(scanned.scan.strangers), emojiUses: new Map(scanned.scan.emojiUses) }
  const teamTally = new Tally(scanned.tally)
  const team = await Team.read(adapter, seen, options, teamTally, firstPerson)
  const render = await makeRender(team)

  const { messages, tally: tallyState } = await steps.take<PlaceStep>('place', async () => {
    const tally = new Tally(structuredClone(teamTally.state))
    const sorted = await new MergeSort<ScannedMessage>(threads).reopen()
    const sortedByTime = await new MergeSort<Placed>(placed).begin()
    const context = { adapter, team, render, options, scan: scanned.scan, tally }
    return { messages: await placeThreads(sorted, sortedByTime, context), tally: tally.state }
  })
  await rm(threads, { recursive: true, force: true })

  const tally = new Tally(tallyState)
  const files = new FileSource(adapter, options.maxFileBytes)
  const folder = join(work, 'records')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const context = { adapter, team, scan: scanned.scan, options, sink, render, files, tally, folder }
  await writeTeam({ ...context, messages })
  await writeMessages(await new MergeSort<Placed>(placed).reopen(), {
    ...context,
    secret: await steps.secret(),
    onProgress: (done) => onProgress('writing', done, messages),
  })
  await rm(folder, { recursive: true, force: true })
  return { team, tally, messages }
}

/** Identifies what the steps depend on. Another archive or another option begins anew. */
function describeInput({ adapter, fingerprint, options }: RunOptions): string {
  const input = [pipelineVersion, adapter.system, adapter.version, fingerprint, options]
  return createHash('sha256').update(JSON.stringify(input)).digest('hex')
}

/** The completed steps of an import, in its work folder. */
class Steps {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Removes the steps of another archive, or of other options. */
  static async open(folder: string, input: string): Promise<Steps> {
    const steps = new Steps(folder)
    const previous = await readFile(join(folder, 'input'), 'utf8').catch(() => '')
    if (previous === input) return steps
    for (const name of ['scan.json', 'place.json']) await rm(join(folder, name), { force: true })
    await steps.#write('input', input)
    return steps
  }

  /** Returns the result of a step: of this run, or of an earlier one that completed it. */
  async take<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const file = `${name}.json`
    const known = await readFile(join(this.#folder, file), 'utf8').catch(() => undefined)
    if (known !== undefined) return JSON.parse(known)
    const result = await run()
    await this.#write(file, JSON.stringify(result))
    return result
  }

  /** Returns random bytes that stay the same for this folder. */
  async secret(): Promise<Buffer> {
    const known = await readFile(join(this.#folder, 'secret')).catch(() => undefined)
    if (known) return known
    const secret = randomBytes(32)
    await this.#write('secret', secret)
    return secret
  }

  /** A file is complete when it has its name. */
  async #write(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.#folder, name)
    await writeFile(`${path}.part`, content, { mode: 0o600, flush: true })
    await rename(`${path}.part`, path)
  }
}
