import { rotateSecret } from '@oxbow/server'
import { Command } from 'commander'
import { print } from '../report.ts'
import { withApp } from '../with-app.ts'

export function secretCommand(): Command {
  return new Command('secret').description("Change the server's secret.").addCommand(rotateCommand())
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'Seal everything with a new secret, while nodes run. Give every node both secrets first: OXBOW_SECRET, the new one, and OXBOW_OLD_SECRET. Safe to run again if it was interrupted.',
    )
    .action(() => withApp((app) => rotateSecret(app, print)))
}
