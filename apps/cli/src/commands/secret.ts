import { rotateSecret } from '@oxbow/server'
import { Command } from 'commander'
import { print } from '../report.ts'
import { withApp } from '../with-app.ts'

export function secretCommand(): Command {
  return new Command('secret').description("Manage the server's secret.").addCommand(rotateCommand())
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'Encrypt all stored keys with a new secret while nodes run. First give every node both secrets: the new one as OXBOW_SECRET and the old one as OXBOW_OLD_SECRET. Run it again if it was interrupted.',
    )
    .action(() => withApp((app) => rotateSecret(app, print)))
}
