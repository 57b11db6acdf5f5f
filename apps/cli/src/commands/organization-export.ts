import { loadConfig } from '@oxbow/server'
import { Command } from 'commander'
import { getOrganizationUrl } from '../address.ts'
import { describeSize } from '../describe-size.ts'
import { makeProgressLine } from '../progress-line.ts'
import { removeOnSignals } from '../remove-on-signals.ts'
import { print, printJson, warn } from '../report.ts'
import { withApp } from '../with-app.ts'

interface Options {
  subdomain: string
  public?: boolean
  json?: boolean
}

export function exportCommand(): Command {
  return new Command('export')
    .description(
      'Write all data of an organization, or only its public data, into a new directory while nodes run. It contains no passwords and keys, but private messages: keep it where nobody else can read it.',
    )
    .argument('<directory>', 'a new directory')
    .option('--subdomain <label>', 'its subdomain of the root host (default: the root host itself)', '')
    .option(
      '--public',
      'only what every member can see: no private messages and streams, no settings of people',
    )
    .option('--json', 'print a JSON object')
    .action(async (directory: string, options: Options) => {
      // Imported on demand: a node never uses this module, and would keep it in memory.
      const { exportOrganizationTo } = await import('@oxbow/server/transfer')
      const { subdomain } = options
      const { external_url } = loadConfig().config
      const progress = makeProgressLine()
      const manifest = await withApp((app) =>
        exportOrganizationTo(app, directory, {
          subdomain,
          scope: options.public ? 'public' : 'everything',
          url: external_url ? getOrganizationUrl(subdomain) : null,
          onProgress: ({ type, records, files, bytes }) =>
            progress(`${type}; ${records} records, ${files} files, ${describeSize(bytes)} written`),
          warn,
          onOpened: removeOnSignals,
        }),
      )
      const { organization, files, created_at } = manifest
      const records = Object.values(manifest.records).reduce((sum, count) => sum + count, 0)
      if (options.json) return printJson({ directory, created_at, records, files })
      print(
        `${directory}: ${records} records of ${organization.name} and ${files.count} files (${describeSize(files.bytes)}), as of ${created_at}.`,
      )
      if (files.missing > 0) warn(`${files.missing} files are missing in the store: oxbow files check`)
    })
}
