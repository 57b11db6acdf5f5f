import { loadConfig } from '@oxbow/server'
import { Command } from 'commander'
import { describeSize } from '../describe-size.ts'
import { choosePassphrase } from '../passphrase.ts'
import { makeProgressLine } from '../progress-line.ts'
import { print, printJson, warn } from '../report.ts'
import { describeContents, passphraseFileOption } from './backup.ts'

interface Options {
  passphraseFile?: string
  resumeJobs?: boolean
  json?: boolean
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Restore a backup into an empty database (DATABASE_URL, created if it is missing), of the same or a newer PostgreSQL. The whole backup is verified before anything is written. Jobs that send e-mails and scheduled messages wait until `oxbow jobs resume`.',
    )
    .argument('<file>', 'the backup')
    .addOption(passphraseFileOption())
    .option('--resume-jobs', 'let jobs run as soon as a node starts')
    .option('--json', 'print a JSON object')
    .action(async (file: string, { passphraseFile, resumeJobs, json }: Options) => {
      const { restoreServer } = await import('@oxbow/server/backup')
      const { config } = loadConfig()
      const progress = makeProgressLine()
      const manifest = await restoreServer(config, file, {
        askPassphrase: () => choosePassphrase({ file: passphraseFile, isNew: false }),
        resumesJobs: resumeJobs,
        onProgress: (step, read, total) =>
          progress(total > 1 ? `${step}: ${describeSize(read)} of ${describeSize(total)}` : step),
        warn,
      })
      if (json) return printJson({ restored: true, created_at: manifest.created_at })
      print(`Restored: ${describeContents(manifest)}`)
      if (manifest.files.kind === 'listed')
        print('The uploaded files are not in the backup. Compare them with the database: oxbow files check')
      print(
        resumeJobs
          ? 'You can start the nodes. Clients register again.'
          : 'You can start the nodes. Clients register again. E-mails, scheduled messages and other jobs wait: look at them with `oxbow jobs status`, and start them with `oxbow jobs resume`.',
      )
    })
}
