import {
  addUserByOperator,
  createResetLinkByOperator,
  getPersonToSignIn,
  listUsersForOperator,
  revealApiKey,
  setPasswordByOperator,
} from '@oxbow/server'
import { Command } from 'commander'
import { getOrganizationUrl } from '../address.ts'
import { chooseFirstPassword, chooseNewPassword, describeSetPassword } from '../password.ts'
import { print, printJson, printTable } from '../report.ts'
import { withApp } from '../with-app.ts'
import { eraseCommand } from './user-erase.ts'

export function userCommand(): Command {
  return new Command('user')
    .description('Create, list and erase users, set their passwords and show their API keys.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(setPassword())
    .addCommand(resetPassword())
    .addCommand(apiKey())
    .addCommand(eraseCommand())
}

interface TargetOptions {
  subdomain: string
  json?: boolean
}

const command = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .option('--subdomain <label>', 'the organization (default: the one at the root host)', '')
    .option('--json', 'print JSON')

interface CreateOptions extends TargetOptions {
  email: string
  name: string
  role: string
  password?: string
  passwordStdin?: boolean
}

function create(): Command {
  return command('create', 'Create a user.')
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--name <name>', 'full name')
    .option('--role <role>', 'owner, administrator, member or guest', 'member')
    .option(
      '--password <password>',
      'the password to sign in with; other users of this machine can see it, so prefer the next option',
    )
    .option('--password-stdin', 'read the password from the first line of standard input')
    .action(async ({ json, ...options }: CreateOptions) => {
      const { password, ...created } = await withApp(async (app) => {
        const password = await chooseFirstPassword(app, {
          password: options.password,
          option: '--password',
          isOnStandardInput: options.passwordStdin,
          canPrompt: !json,
          email: options.email,
        })
        return {
          ...(await addUserByOperator(app, { ...options, full_name: options.name, password })),
          password,
        }
      })
      if (json) return printJson(created)
      print(`${created.email} is user ${created.user_id}. API key: ${created.api_key}`)
      if (password === undefined) print(describeSetPassword(created.email, options.subdomain))
    })
}

function setPassword(): Command {
  return command('set-password', "Set a user's password.")
    .requiredOption('--email <address>', "the user's e-mail address")
    .addHelpText(
      'after',
      `
The command asks for the password. If standard input is not a terminal, it reads the first line:
  oxbow user set-password --email me@example.com < file-with-password`,
    )
    .action(async ({ subdomain, json, email }: TargetOptions & { email: string }) => {
      const changed = await withApp(async (app) => {
        await getPersonToSignIn(app, subdomain, email)
        const password = await chooseNewPassword(app, email)
        return setPasswordByOperator(app, { subdomain, email, password })
      })
      if (json) printJson(changed)
      else print(`${changed.email} can sign in with the new password. The API key did not change.`)
    })
}

function resetPassword(): Command {
  return command('reset-password', 'Print a link by which a user sets a new password.')
    .argument('<email>', "the user's e-mail address")
    .addHelpText(
      'after',
      `
The link works once and is valid for one hour. Send it only to the user: it gives access to the account.`,
    )
    .action(async (email: string, { subdomain, json }: TargetOptions) => {
      const origin = getOrganizationUrl(subdomain)
      const created = await withApp((app) => createResetLinkByOperator(app, { subdomain, email, origin }))
      if (json) return printJson(created)
      print(`${created.email} can set a new password within one hour, once, at:`)
      print(created.link)
    })
}

function list(): Command {
  return command('list', 'List the users of an organization.').action(
    async ({ subdomain, json }: TargetOptions) => {
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
    },
  )
}

function apiKey(): Command {
  return command('api-key', "Show a user's API key.")
    .requiredOption('--email <address>', "the user's e-mail address")
    .action(async ({ subdomain, json, email }: TargetOptions & { email: string }) => {
      const found = await withApp((app) => revealApiKey(app, subdomain, email))
      if (json) printJson(found)
      else print(found.api_key)
    })
}
