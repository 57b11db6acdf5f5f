import {
  createImportLinks,
  importLinkDays,
  mailImportLinks,
  OperatorError,
  refuseImportWithoutMail,
} from '@oxbow/server'
import { Command } from 'commander'
import { getOrganizationUrl } from '../address.ts'
import { makeProgressLine } from '../progress-line.ts'
import { removeOnSignals } from '../remove-on-signals.ts'
import { print, printJson } from '../report.ts'
import { withApp } from '../with-app.ts'

interface Options {
  subdomain: string
  name?: string
  links?: boolean
  mail?: boolean
  json?: boolean
}

export function importCommand(): Command {
  return new Command('import')
    .description(
      'Create an organization from an export, while nodes run. The whole export is verified before anything is written. Accounts get new API keys and no password.',
    )
    .argument('<export>', 'the directory of an export, or the archive that an administrator downloaded')
    .option('--subdomain <label>', 'subdomain of the new organization (default: the root host itself)', '')
    .option('--name <name>', 'another name for the organization')
    .option('--links', `print a link for each person to set a password within ${importLinkDays} days`)
    .option('--mail', 'send such a link to each person')
    .option('--json', 'print a JSON object')
    .action(async (path: string, options: Options) => {
      if (options.json && options.links)
        throw new OperatorError('--json prints no links. Leave out one of --json and --links.')
      if (options.mail && options.links)
        throw new OperatorError('A person gets one link. Leave out one of --mail and --links.')
      const { importOrganizationFrom } = await import('@oxbow/server/transfer')
      const { subdomain, name } = options
      const url = getOrganizationUrl(subdomain)
      const progress = makeProgressLine()
      await withApp(async (app) => {
        if (options.mail) refuseImportWithoutMail(app)
        const imported = await importOrganizationFrom(app, path, {
          subdomain,
          name,
          url,
          onProgress: (step, done, total) => progress(total > 1 ? `${step}: ${done} of ${total}` : step),
          onUnpacking: removeOnSignals,
        })
        const { organization_id, manifest } = imported
        const records = Object.values(manifest.records).reduce((sum, count) => sum + count, 0)
        if (options.json)
          printJson({ organization_id, name: imported.name, url, records, files: manifest.files.count })
        else
          print(
            `Imported ${imported.name} as organization ${organization_id} at ${url}: ${records} records and ${manifest.files.count} files, as of ${manifest.created_at}.`,
          )
        if (options.mail) {
          const mailed = await mailImportLinks(app, { subdomain, origin: url })
          if (!options.json)
            print(
              `${mailed} people get an e-mail with a link to set a password within ${importLinkDays} days. A running node sends them.`,
            )
        }
        if (options.links)
          for await (const { email, link } of createImportLinks(app, { subdomain, origin: url }))
            print(`${email} ${link}`)
        else if (!options.mail && !options.json)
          print(
            'People set a password with "Forgot your password?" on the sign-in page, or with a link of `oxbow user reset-password`.',
          )
      })
    })
}
