import { eraseUserByOperator, getPersonToErase, OperatorError } from '@oxbow/server'
import { Command } from 'commander'
import { askToConfirm } from '../confirm.ts'
import { makeProgressLine } from '../progress-line.ts'
import { print, printJson } from '../report.ts'
import { withApp } from '../with-app.ts'

interface Options {
  subdomain: string
  deleteMessages?: boolean
  confirm?: string
  json?: boolean
}

export function eraseCommand(): Command {
  return new Command('erase')
    .description(
      'Erase the personal data of a user for ever. The account is then called "Deleted user". If the command is interrupted, a node completes it.',
    )
    .argument('<user>', "the user's e-mail address, or the id of the account")
    .option('--subdomain <label>', 'the organization (default: the one at the root host)', '')
    .option('--delete-messages', 'delete the messages and uploads of the user too')
    .option('--confirm <user>', 'the address or id again, instead of the question; for scripts')
    .option('--json', 'print a JSON object')
    .action(async (who: string, { subdomain, deleteMessages, confirm, json }: Options) => {
      const progress = makeProgressLine()
      const { id: user_id } = await withApp(async (app) => {
        const person = await getPersonToErase(app, subdomain, who)
        const what = deleteMessages
          ? `${person.full_name} and deletes all their messages and uploads`
          : person.full_name
        const typed = confirm ?? (await askToConfirm(`This erases ${what} for ever`, who))
        if (typed !== who) throw new OperatorError('That is not the same user. Nothing was erased.')
        await eraseUserByOperator(app, person, {
          deletesMessages: deleteMessages === true,
          onProgress: ({ messages, mentions, uploads }) =>
            progress(
              `this command has deleted ${messages} messages and ${uploads} files and replaced ${mentions} mentions so far`,
            ),
        })
        return person
      })
      if (json) return printJson({ user_id })
      const rest = deleteMessages ? 'with all messages and uploads' : 'and replaced in mentions'
      print(`The user with the id ${user_id} is erased, ${rest}. Backups still contain the data.`)
    })
}
