import { addUserByOperator, listUsersForOperator, revealApiKey } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson, printTable } from '../report.ts'
import { withApp } from '../with-app.ts'

export function userCommand(): Command {
  return new Command('user')
    .description('Create and list users, and show their API keys.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(apiKey())
}

interface Where {
  subdomain: string
  json?: boolean
}

const command = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .option('--subdomain <label>', 'the organization; without it, the one on the root host', '')
    .option('--json', 'print JSON')

interface CreateOptions extends Where {
  email: string
  name: string
  role: string
  password?: string
}

function create(): Command {
  return command('create', 'Create a user.')
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--name <name>', 'full name')
    .option('--role <role>', 'owner, administrator, member or guest', 'member')
    .option('--password <password>', 'a password to sign in with')
    .action(async ({ json, ...given }: CreateOptions) => {
      const created = await withApp((app) => addUserByOperator(app, { ...given, full_name: given.name }))
      if (json) return printJson(created)
      print(`${created.email} is user ${created.user_id}. API key: ${created.api_key}`)
    })
}

function list(): Command {
  return command('list', 'List the users of an organization.').action(async ({ subdomain, json }: Where) => {
    const users = await withApp((app) => listUsersForOperator(app, subdomain))
    if (json) return printJson(users)
    printTable(
      ['id', 'role', 'e-mail', 'name', ''],
      users.map((user) => [
        String(user.user_id),
        user.role,
        user.email,
        user.full_name,
        [user.is_bot ? 'bot' : '', user.is_active ? '' : 'deactivated'].filter(Boolean).join(', '),
      ]),
    )
  })
}

function apiKey(): Command {
  return command('api-key', "Show a user's API key.")
    .requiredOption('--email <address>', "the user's e-mail address")
    .action(async ({ subdomain, json, email }: Where & { email: string }) => {
      const found = await withApp((app) => revealApiKey(app, subdomain, email))
      if (json) printJson(found)
      else print(found.api_key)
    })
}
