import { loadConfig, migrateDatabase, noteRestoredDatabase, SetupError } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson } from '../report.ts'

interface RestoredOptions {
  since?: string
  json?: boolean
}

export function databaseCommand(): Command {
  return new Command('database').description('Look after the database.').addCommand(restoredCommand())
}

function restoredCommand(): Command {
  return new Command('restored')
    .description(
      'Say that the database was put back to an older state, before nodes are started: ids jump, so that none is used twice, and clients that have seen more begin anew.',
    )
    .option(
      '--since <time>',
      'when that state was taken, if nodes have used it already: 2026-11-14T03:00:00Z',
    )
    .option('--json', 'print a JSON object')
    .action(async ({ since, json }: RestoredOptions) => {
      const { config } = loadConfig()
      const time = since === undefined ? undefined : readTime(since)
      await migrateDatabase(config)
      await noteRestoredDatabase(config, time)
      if (json) printJson({ restored: true })
      else print('Event numbers and ids jump from here on. Nodes can be started.')
    })
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) {
    throw new SetupError(`--since ${text} is no time. Write it like 2026-11-14T03:00:00Z.`)
  }
  return time
}
