import { dropJobs, OperatorError, readJobsStatus, resumeJobs } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson, printTable } from '../report.ts'
import { withApp } from '../with-app.ts'

interface Options {
  json?: boolean
}

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('Manage background jobs: e-mails, scheduled messages and maintenance.')
    .addCommand(statusCommand())
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

function dropCommand(): Command {
  return new Command('drop')
    .description(
      'Remove waiting jobs of one kind without running them, such as e-mails that the original server has sent since the backup. `oxbow jobs status` lists the kinds.',
    )
    .argument('<kind>', 'the name of the job')
    .option('--json', 'print a JSON object')
    .action(async (kind: string, { json }: Options) => {
      const dropped = await withApp(({ db }) => dropJobs(db, kind))
      if (dropped === 0)
        throw new OperatorError(
          `No job of the kind ${kind} is waiting. \`oxbow jobs status\` lists the waiting jobs.`,
        )
      if (json) printJson({ dropped })
      else print(`${dropped} jobs were removed.`)
    })
}
