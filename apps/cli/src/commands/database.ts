import { loadConfig, migrateDatabase, recordDatabaseRestore, SetupError } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson, warn } from '../report.ts'

interface RestoredOptions {
  since?: string
  json?: boolean
}

export function databaseCommand(): Command {
  return new Command('database').description('Maintain the database.').addCommand(restoredCommand())
}

function restoredCommand(): Command {
  return new Command('restored')
    .description(
      'Record that the database was restored to an older state. Run it before you start nodes: ids skip ahead, so that none is used twice, and clients that have seen newer events register again.',
    )
    .option(
      '--since <time>',
      'the time to which the database was restored, such as 2026-11-14T03:00:00Z; needed only if nodes have already run with it',
    )
    .option('--json', 'print a JSON object')
    .action(async ({ since, json }: RestoredOptions) => {
      const { config } = loadConfig()
      const time = since === undefined ? undefined : readTime(since)
      await migrateDatabase(config, undefined, warn)
      await recordDatabaseRestore(config, time)
      if (json) printJson({ restored: true })
      else
        print(
          'Recorded. New event numbers and ids start above all that may have been used. You can start the nodes.',
        )
    })
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) {
    throw new SetupError(`--since ${text} is not a valid time. Write it like 2026-11-14T03:00:00Z.`)
  }
  return time
}
