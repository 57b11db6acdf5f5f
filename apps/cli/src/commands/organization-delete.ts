import { deleteOrganizationByOperator, getOrganizationToDelete, OperatorError } from '@oxbow/server'
import { Command } from 'commander'
import { askToConfirm } from '../confirm.ts'
import { makeProgressLine } from '../progress-line.ts'
import { print, printJson } from '../report.ts'
import { withApp } from '../with-app.ts'

interface Options {
  subdomain?: string
  confirm?: string
  json?: boolean
}

export function deleteCommand(): Command {
  return new Command('delete')
    .description(
      'Delete an organization for ever: accounts, messages, files and everything else. Nobody can use it from the first step on, and only a backup can bring it back. If the command is interrupted, run it again.',
    )
    .argument('<name>', 'the name of the organization, as `oxbow organization list` shows it')
    .option('--subdomain <label>', 'its subdomain, if several organizations have the name')
    .option('--confirm <name>', 'the name again, instead of the question; for scripts')
    .option('--json', 'print a JSON object')
    .action(async (name: string, { subdomain, confirm, json }: Options) => {
      const progress = makeProgressLine()
      const deleted = await withApp(async (app) => {
        const organization = await getOrganizationToDelete(app, name, subdomain)
        const typed = confirm ?? (await askToConfirm(`This deletes ${name} for ever`, name))
        if (typed !== organization.name)
          throw new OperatorError('That is not the name of the organization. Nothing was deleted.')
        return deleteOrganizationByOperator(app, organization, (step, { rows, files }) =>
          progress(`Deleting ${step}: ${rows} rows and ${files} files so far`),
        )
      })
      if (json) return printJson(deleted)
      print(`Deleted ${name}: ${deleted.rows} rows and ${deleted.files} files. Backups still contain it.`)
    })
}
