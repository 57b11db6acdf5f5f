import { loadConfig, type ShownSetting, showConfig } from '@oxbow/server'
import { Command } from 'commander'
import { print, printJson } from '../report.ts'

export function configCommand(): Command {
  return new Command('config')
    .description('Print all settings with their values, sources and meanings. Secrets are masked.')
    .option('--json', 'print a JSON object')
    .action(({ json }: { json?: boolean }) => {
      const loaded = loadConfig()
      const settings = showConfig(loaded)
      if (json)
        return printJson(
          Object.fromEntries(settings.map(({ name, value, source }) => [name, { value, source }])),
        )
      for (const setting of settings) print(describe(setting))
      print(
        loaded.file
          ? `Read from ${loaded.file}`
          : 'No configuration file is used. Set OXBOW_CONFIG to use one.',
      )
    })
}

function describe({ name, value, source, env, about }: ShownSetting): string {
  return `${name} = ${value === null ? '(not set)' : value}\n    ${about}\n    from: ${source}; variable: ${env}\n`
}
