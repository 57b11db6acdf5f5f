import { createOrganization, listOrganizations, reactivateOrganization } from '@oxbow/server'
import { Command } from 'commander'
import { getOrganizationUrl } from '../address.ts'
import { chooseFirstPassword, describeSetPassword } from '../password.ts'
import { print, printJson, printTable } from '../report.ts'
import { withApp } from '../with-app.ts'

export function organizationCommand(): Command {
  return new Command('organization')
    .description('Create, list and reactivate organizations.')
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
    .requiredOption('--name <name>', 'the name of the organization')
    .option('--subdomain <label>', 'its subdomain of the root host (default: the root host itself)', '')
    .requiredOption('--owner-email <address>', "the owner's e-mail address")
    .requiredOption('--owner-name <name>', "the owner's full name")
    .option(
      '--owner-password <password>',
      'the password to sign in with; other users of this machine can see it, so prefer the next option',
    )
    .option('--owner-password-stdin', 'read the password from the first line of standard input')
    .option('--json', 'print a JSON object')
    .action(async (options: CreateOptions) => {
      const { name, subdomain, ownerEmail: email, ownerName: full_name, json } = options
      const { password, ...created } = await withApp(async (app) => {
        const password = await chooseFirstPassword(app, {
          password: options.ownerPassword,
          option: '--owner-password',
          isOnStandardInput: options.ownerPasswordStdin,
          canPrompt: !json,
          email,
        })
        return {
          ...(await createOrganization(app, { name, subdomain, owner: { email, full_name, password } })),
          password,
        }
      })
      if (json) return printJson(created)
      print(`Created organization ${created.organization_id}, ${name}, owned by ${created.email}.`)
      print(`The owner's API key: ${created.api_key}`)
      if (password === undefined) print(describeSetPassword(created.email, subdomain))
      if (subdomain) print(`Its address is ${getOrganizationUrl(subdomain)}.`)
    })
}

function reactivate(): Command {
  return new Command('reactivate')
    .description('Reactivate an organization that an owner deactivated.')
    .option('--subdomain <label>', 'its subdomain of the root host (default: the root host itself)', '')
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
