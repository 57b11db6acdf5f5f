import {
  type BackgroundProgress,
  finishMigrations,
  loadConfig,
  type MigrationStatus,
  migrateDatabase,
  readMigrationStatus,
} from '@oxbow/server'
import { Command } from 'commander'
import { makeProgressLine } from '../progress-line.ts'
import { print, printJson, warn } from '../report.ts'
import { withApp } from '../with-app.ts'
import { describeSchema } from './version.ts'

interface Options {
  status?: boolean
  finish?: boolean
  json?: boolean
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create the database if it is missing, and apply new migrations. Safe to run at any time.')
    .option(
      '--status',
      'change nothing; print which migrations are missing, and the progress of background ones',
    )
    .option('--finish', 'also run the background migrations here until they are done, beside running nodes')
    .option('--json', 'print a JSON object')
    .action(async ({ status, finish, json }: Options) => {
      const { config } = loadConfig()
      if (status) {
        const found = await readMigrationStatus(config)
        if (json) printJson(found)
        else print(describeStatus(found))
        return
      }
      const applied = await migrateDatabase(config, undefined, warn)
      const show = makeProgressLine()
      const finished = finish
        ? await withApp((app) => finishMigrations(app, (progress) => show(describeProgress(progress))))
        : []
      if (json) printJson({ applied, ...(finish && { finished }) })
      else {
        print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`)
        if (finished.length > 0) print(`Finished in the background: ${finished.join(', ')}`)
      }
    })
}

function describeStatus({ background, ...comparison }: MigrationStatus): string {
  const lines = background.map((progress) => `  ${describeProgress(progress)}`)
  const summary = lines.length > 0 ? 'Background migrations:' : 'There are no background migrations.'
  return [describeSchema(comparison), summary, ...lines].join('\n')
}

/** Describes a background migration, such as "0060_fill_sizes: 1000 of about 4000 rows (25 %)". */
function describeProgress(progress: BackgroundProgress): string {
  const { name, rows_done, rows_total, started_at, finished_at, failure } = progress
  if (finished_at) return `${name}: finished at ${toTime(finished_at)}, ${rows_done} rows`
  if (!started_at) return `${name}: not begun`
  // The total is an estimate, and rows may have been added since.
  const percent = Math.min(99, Math.floor((100 * rows_done) / Math.max(1, rows_total ?? 0)))
  const state = `${name}: ${rows_done} of about ${rows_total} rows (${percent} %) since ${toTime(started_at)}`
  return failure ? `${state}; the newest batch failed and is tried again: ${failure}` : state
}

const toTime = (date: Date): string => new Date(date).toISOString().replace(/\.\d+/, '')
