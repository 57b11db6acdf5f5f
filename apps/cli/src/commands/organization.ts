import { createOrganization, listOrganizations, reactivateOrganization } from '@oxbow/server'
import { Command } from 'commander'
import { addressOf } from '../address.ts'
import { chooseFirstPassword, howToSetPassword } from '../password.ts'
import { print, printJson, printTable } from '../report.ts'
import { withApp } from '../with-app.ts'

export function organizationCommand(): Command {
  return new Command('organization')
    .description('Create and list organizations, and bring them back.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(reactivate())
}

interface CreateOptions {
  name: string
  subdomain: string
  ownerEmail: string
  ownerName: string
  ownerPassword?: string
  ownerPasswordStdin?: boolean
  json?: boolean
}

function create(): Command {
  return new Command('create')
    .description('Create an organization and the account that owns it.')
    .requiredOption('--name <name>', 'what the organization is called')
    .option('--subdomain <label>', 'its host below the root host; without it, the root host itself', '')
    .requiredOption('--owner-email <address>', "the owner's e-mail address")
    .requiredOption('--owner-name <name>', "the owner's full name")
    .option(
      '--owner-password <password>',
      'a password to sign in with; visible in the list of processes, so better use the next option',
    )
    .option('--owner-password-stdin', 'read the password from the first line of the standard input')
    .option('--json', 'print a JSON object')
    .action(async (options: CreateOptions) => {
      const { name, subdomain, ownerEmail: email, ownerName: full_name, json } = options
      const { password, ...created } = await withApp(async (app) => {
        const password = await chooseFirstPassword(app, {
          given: options.ownerPassword,
          option: '--owner-password',
          isOnStandardInput: options.ownerPasswordStdin,
          mayAsk: !json,
          email,
        })
        return {
          ...(await createOrganization(app, { name, subdomain, owner: { email, full_name, password } })),
          password,
        }
      })
      if (json) return printJson(created)
      print(`${name} is organization ${created.organization_id}, owned by ${created.email}.`)
      print(`The owner's API key: ${created.api_key}`)
      if (password === undefined) print(howToSetPassword(created.email, subdomain))
      if (subdomain) print(`It lives at ${addressOf(subdomain)}, once the server runs.`)
    })
}

function reactivate(): Command {
  return new Command('reactivate')
    .description('Let people in again where an owner deactivated the organization.')
    .option('--subdomain <label>', 'its host below the root host; without it, the root host itself', '')
    .action(async ({ subdomain }: { subdomain: string }) => {
      const name = await withApp((app) => reactivateOrganization(app, subdomain))
      print(`${name} is active again.`)
    })
}

function list(): Command {
  return new Command('list')
    .description('List all organizations of this server.')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const organizations = await withApp((app) => listOrganizations(app.db))
      if (json) {
        return printJson(
          organizations.map(({ id, subdomain, name, deactivated_at }) => ({
            organization_id: id,
            subdomain,
            name,
            deactivated_at,
          })),
        )
      }
      printTable(
        ['id', 'host', 'name', ''],
        organizations.map(({ id, subdomain, name, deactivated_at }) => [
          String(id),
          subdomain || '(root)',
          name,
          deactivated_at ? 'deactivated' : '',
        ]),
      )
    })
}
