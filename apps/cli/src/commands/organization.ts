import {
  changeUploadQuota,
  createOrganization,
  createOrganizationWithoutOwner,
  findFirstAccountLink,
  listOrganizations,
  OperatorError,
  reactivateOrganization,
} from '@oxbow/server'
import { Command } from 'commander'
import { getOrganizationUrl } from '../address.ts'
import { chooseFirstPassword, describeSetPassword } from '../password.ts'
import { print, printJson, printTable } from '../report.ts'
import { withApp } from '../with-app.ts'
import { deleteCommand } from './organization-delete.ts'
import { exportCommand } from './organization-export.ts'
import { importCommand } from './organization-import.ts'

export function organizationCommand(): Command {
  return new Command('organization')
    .description(
      'Create, list, reactivate, export, import and delete organizations, and limit their uploads.',
    )
    .addCommand(create())
    .addCommand(firstAccount())
    .addCommand(list())
    .addCommand(reactivate())
    .addCommand(quota())
    .addCommand(exportCommand())
    .addCommand(importCommand())
    .addCommand(deleteCommand())
}

interface CreateOptions {
  name: string
  subdomain: string
  ownerEmail?: string
  ownerName?: string
  ownerPassword?: string
  ownerPasswordStdin?: boolean
  json?: boolean
}

function create(): Command {
  return new Command('create')
    .description(
      'Create an organization and the account that owns it. Without an owner, prints a link to create that account in a browser.',
    )
    .requiredOption('--name <name>', 'the name of the organization')
    .option('--subdomain <label>', 'its subdomain of the root host (default: the root host itself)', '')
    .option('--owner-email <address>', "the owner's e-mail address")
    .option('--owner-name <name>', "the owner's full name")
    .option(
      '--owner-password <password>',
      'the password to sign in with; other users of this machine can see it, so prefer the next option',
    )
    .option('--owner-password-stdin', 'read the password from the first line of standard input')
    .option('--json', 'print a JSON object')
    .action(async (options: CreateOptions) => {
      const { name, subdomain, ownerEmail: email, ownerName: full_name, json } = options
      if (email === undefined && full_name === undefined) return createWithoutOwner(options)
      if (email === undefined || full_name === undefined)
        throw new OperatorError('Give both --owner-email and --owner-name, or neither.')
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

async function createWithoutOwner({ name, subdomain, json }: CreateOptions): Promise<void> {
  const origin = getOrganizationUrl(subdomain)
  const created = await withApp(async (app) => ({
    ...(await createOrganizationWithoutOwner(app, { name, subdomain })),
    first_account_url: await findFirstAccountLink(app, { subdomain, origin }),
  }))
  if (json) return printJson(created)
  print(`Created organization ${created.organization_id}, ${name}, at ${origin}.`)
  print(`Create its first account within seven days: ${created.first_account_url}`)
}

function firstAccount(): Command {
  return new Command('first-account')
    .description('Print a new link to create the first account of an organization that has none.')
    .option('--subdomain <label>', 'its subdomain of the root host (default: the root host itself)', '')
    .action(async ({ subdomain }: { subdomain: string }) => {
      const origin = getOrganizationUrl(subdomain)
      const link = await withApp((app) => findFirstAccountLink(app, { subdomain, origin }))
      if (link === undefined) throw new OperatorError('The organization has an account already.')
      print(link)
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

interface QuotaOptions {
  subdomain: string
  set?: string
  json?: boolean
}

const mebibyte = 1_048_576

function quota(): Command {
  return new Command('quota')
    .description('Show or set how much space the uploads of an organization may take.')
    .option('--subdomain <label>', 'its subdomain of the root host (default: the root host itself)', '')
    .option('--set <mib>', 'the limit in MiB, or `none`; files that exist already are kept')
    .option('--json', 'print a JSON object, in bytes')
    .action(async ({ subdomain, set, json }: QuotaOptions) => {
      const newQuota = set === undefined ? undefined : readQuota(set)
      const shown = await withApp((app) => changeUploadQuota(app, subdomain, newQuota))
      if (json) return printJson({ used: shown.used, quota: shown.quota })
      const limit =
        shown.quota === null ? 'there is no limit' : `the limit is ${toMebibytes(shown.quota)} MiB`
      print(`Uploads of ${shown.name} take ${toMebibytes(shown.used)} MiB; ${limit}.`)
    })
}

function readQuota(text: string): number | null {
  if (text === 'none') return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * mebibyte
  throw new OperatorError(`--set must be a number of MiB or \`none\`, not "${text}".`)
}

const toMebibytes = (bytes: number): number => Math.round((bytes / mebibyte) * 10) / 10

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
        organizations.map(({ id, subdomain, name, deactivated_at, deletion_began_at }) => [
          String(id),
          subdomain || '(root)',
          name,
          deletion_began_at ? 'being deleted' : deactivated_at ? 'deactivated' : '',
        ]),
      )
    })
}
