import { oxbowVersion } from '@oxbow/assets'
import { baseline, compareSchema, loadConfig, type SchemaComparison } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson } from '../report.ts'

export function versionCommand(): Command {
  return new Command('version')
    .description('Print the version, and compare it with the database. Changes nothing.')
    .option('--check', 'compare with the database; the status is 1 if another version has to be started')
    .option('--json', 'print a JSON object')
    .action(async ({ check, json }: { check?: boolean; json?: boolean }) => {
      const comparison = check ? await compareSchema(loadConfig().config.database_url) : undefined
      if (json) printJson({ version: oxbowVersion, node: process.version, ...comparison })
      else {
        print(`Oxbow ${oxbowVersion}, Node ${process.version}`)
        if (comparison) print(describeSchema(comparison))
      }
      if (comparison?.state === 'newer' || comparison?.state === 'too_old') process.exitCode = 1
    })
}

export function describeSchema({ state, pending, unknown }: SchemaComparison): string {
  switch (state) {
    case 'empty':
      return 'The database is empty. The first start sets it up.'
    case 'same':
      return 'The database fits this version.'
    case 'older':
      return `The database is of an older version. Starting this one applies ${pending.length} migrations: ${pending.join(', ')}.`
    case 'too_old':
      return `The database is too old for this version. Install the commit ${baseline.lastCommit} and run "oxbow migrate" once, then install this version again.`
    case 'newer':
      return `The database was used by a newer version, which applied ${unknown.join(', ')}. Install that version.`
  }
}
