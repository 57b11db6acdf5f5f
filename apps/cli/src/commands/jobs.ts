import { dropJobs, listJobs, readJobsStatus, resumeJobs, retryJobs } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson, printTable, warn } from '../report.ts'
import { withApp } from '../with-app.ts'

interface Options {
  json?: boolean
}

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('Manage background jobs: e-mails, scheduled messages and maintenance.')
    .addCommand(statusCommand())
    .addCommand(listCommand())
    .addCommand(retryCommand())
    .addCommand(resumeCommand())
    .addCommand(dropCommand())
}

function statusCommand(): Command {
  return new Command('status')
    .description('Show whether jobs are held, and which ones wait.')
    .option('--json', 'print a JSON object')
    .action(async ({ json }: Options) => {
      const status = await withApp(({ db }) => readJobsStatus(db))
      if (json) return printJson(status)
      const { held_since, waiting, due_messages } = status
      print(
        held_since
          ? `Jobs have been held since ${held_since.toISOString()}, because a backup was restored. Nothing is sent until you run \`oxbow jobs resume\`.`
          : 'Jobs run.',
      )
      print(`${due_messages} scheduled messages and reminders are due.`)
      if (waiting.length === 0) return print('No other job waits.')
      printTable(
        ['JOB', 'WAITING', 'OLDEST'],
        waiting.map(({ kind, count, queued_at }) => [kind, String(count), queued_at.toISOString()]),
      )
    })
}

function resumeCommand(): Command {
  return new Command('resume')
    .description(
      'Run the jobs that have been held since a backup was restored: waiting e-mails, due scheduled messages, link previews and maintenance. Running nodes start them within seconds.',
    )
    .option('--json', 'print a JSON object')
    .action(async ({ json }: Options) => {
      const wasHeld = await withApp(({ db }) => resumeJobs(db))
      if (json) printJson({ resumed: wasHeld })
      else print(wasHeld ? 'Jobs run again.' : 'Jobs were not held.')
    })
}

/** More jobs would not fit on a screen. */
const maxListed = 200

function listCommand(): Command {
  return new Command('list')
    .description(
      'List jobs that wait or were given up, with the time of their next attempt and why they failed.',
    )
    .argument('[kind]', 'the name of the jobs (default: all)')
    .option('--json', 'print a JSON object')
    .action(async (kind: string | undefined, { json }: Options) => {
      const jobs = await withApp(({ db }) => listJobs(db, kind, json ? 100_000 : maxListed))
      if (json) return printJson({ jobs })
      if (jobs.length === 0) return print('No job waits.')
      printTable(
        ['ID', 'JOB', 'FAILURES', 'NEXT ATTEMPT', 'LAST ERROR'],
        jobs.map(({ id, kind, failures, next_attempt, last_error }) => [
          id,
          kind,
          String(failures),
          next_attempt?.toISOString() ?? 'none',
          describeError(last_error),
        ]),
      )
      if (jobs.length === maxListed) print(`There may be more: \`--json\` lists all.`)
    })
}

/** Returns the first line of an error, which may have a stack, without codes that change the terminal. */
const describeError = (error: string | null): string =>
  (error ?? '').split('\n', 1).join('').replace(/\p{C}/gu, '').slice(0, 100)

const namedJobs = 'ids of jobs, or names of jobs; `oxbow jobs list` lists both'

function retryCommand(): Command {
  return new Command('retry')
    .description(
      'Run waiting jobs at once that would be tried later, such as e-mails after the mail server was repaired, and jobs that were given up. Running nodes start them within seconds.',
    )
    .argument('<jobs...>', namedJobs)
    .option('--json', 'print a JSON object')
    .action(async (named: string[], { json }: Options) => {
      const { retried, heldSince } = await withApp(async ({ db }) => ({
        retried: await retryJobs(db, named),
        heldSince: (await readJobsStatus(db)).held_since,
      }))
      if (json) printJson({ retried })
      else print(`${retried} jobs run now.`)
      if (heldSince) warn('Jobs are held, because a backup was restored. They run after `oxbow jobs resume`.')
    })
}

function dropCommand(): Command {
  return new Command('drop')
    .description(
      'Remove waiting jobs without running them, such as e-mails that the original server has sent since the backup.',
    )
    .argument('<jobs...>', namedJobs)
    .option('--json', 'print a JSON object')
    .action(async (named: string[], { json }: Options) => {
      const dropped = await withApp(({ db }) => dropJobs(db, named))
      if (json) printJson({ dropped })
      else print(`${dropped} jobs were removed.`)
    })
}
