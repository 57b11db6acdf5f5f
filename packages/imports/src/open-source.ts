import type { Archive } from './archive/archive.ts'
import { openArchive } from './archive/open-archive.ts'
import { CsvAdapter, type CsvOptions } from './csv/csv-adapter.ts'
import type { Adapter } from './model/source.ts'
import { ImportRefusal } from './refusal.ts'
import { SlackAdapter, type SlackOptions } from './slack/slack-adapter.ts'

export interface OpenedSource extends AsyncDisposable {
  archive: Archive
  adapter: Adapter
}

/** Options of all adapters. */
export type SourceOptions = CsvOptions & SlackOptions

const systems = ['csv', 'slack'] as const
export type System = (typeof systems)[number]

/** Opens an archive with the adapter of its system, which is recognized by its files unless it is named. */
export async function openSource(
  path: string,
  from: System | undefined,
  options: SourceOptions,
): Promise<OpenedSource> {
  const archive = await openArchive(path)
  try {
    const adapter = makeAdapter(archive, from ?? recognize(archive), options)
    return { archive, adapter, [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose]() }
  } catch (error) {
    await archive[Symbol.asyncDispose]()
    throw error
  }
}

function makeAdapter(archive: Archive, system: System, options: SourceOptions): Adapter {
  return system === 'csv' ? new CsvAdapter(archive, options) : new SlackAdapter(archive, options)
}

function recognize({ files }: Archive): System {
  if (files.has('messages.csv')) return 'csv'
  if (files.has('users.json') || files.has('org_users.json')) return 'slack'
  throw new ImportRefusal(
    `The archive is of no system that this release can read: ${systems.join(', ')}. If it is, name it with --from.`,
  )
}
