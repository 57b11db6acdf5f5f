import { loadConfig, migrateDatabase } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson, warn } from '../report.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create the database if it is missing, and apply new migrations. Safe to run at any time.')
    .option('--json', 'print a JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const applied = await migrateDatabase(loadConfig().config, undefined, warn)
      if (json) printJson({ applied })
      else print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`)
    })
}
