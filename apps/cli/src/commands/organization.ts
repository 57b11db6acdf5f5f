import { createOrganization, listOrganizations, reactivateOrganization } from '@oxbow/server'
import { Command } from 'commander'
import { addressOf } from '../address.ts'
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
      'a password to sign in with; without it, the API key is the only way in',
    )
    .option('--json', 'print a JSON object')
    .action(async (options: CreateOptions) => {
      const created = await withApp((app) =>
        createOrganization(app, {
          name: options.name,
          subdomain: options.subdomain,
          owner: { email: options.ownerEmail, full_name: options.ownerName, password: options.ownerPassword },
        }),
      )
      if (options.json) return printJson(created)
      print(`${options.name} is organization ${created.organization_id}, owned by ${created.email}.`)
      print(`The owner's API key: ${created.api_key}`)
      if (options.subdomain) print(`It lives at ${addressOf(options.subdomain)}, once the server runs.`)
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
