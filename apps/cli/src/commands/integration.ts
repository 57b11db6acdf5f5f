import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { OperatorError } from '@oxbow/server'
import { Command } from 'commander'
import { collectPairs } from '../integration/pairs.ts'
import type { TryOptions } from '../integration/try.ts'
import { print, printJson, printTable, warn } from '../report.ts'

export function integrationCommand(): Command {
  return new Command('integration')
    .description('List integrations with other services, try a payload, create a new integration.')
    .addCommand(list())
    .addCommand(tryPayload())
    .addCommand(createNew())
}

function list(): Command {
  return new Command('list')
    .description('List all integrations.')
    .option('--json', 'print a JSON array')
    .option('--folder <path>', 'the integrations folder (default: the one in this checkout)')
    .action(async ({ json, folder }: { json?: boolean; folder?: string }) => {
      const { listIntegrations } = await import('../integration/list.ts')
      const { listed, broken } = await listIntegrations(
        folder ? pathToFileURL(`${resolve(folder)}/`) : undefined,
      )
      if (json) printJson(listed)
      else
        printTable(
          ['name', 'service', 'category', 'signature'],
          listed.map(({ name, title, category, signature }) => [name, title, category, signature ?? '']),
        )
      for (const { name, reason } of broken) warn(`the integration ${name} cannot be loaded: ${reason}`)
      if (broken.length > 0) process.exitCode = 1
    })
}

function tryPayload(): Command {
  return new Command('try')
    .description(
      'Translate a payload without a server, and print the messages. Fails if the payload is refused.',
    )
    .argument('<name>', 'the name of the integration, from `oxbow integration list`')
    .argument('<file>', 'a payload or a fixture (JSON); - reads standard input')
    .option('--topic <topic>', 'the parameter `topic` of the URL')
    .option('--query <name=value>', 'a parameter of the URL; can be given several times', collectPairs, {})
    .option('--header <name=value>', 'a header of the delivery; can be given several times', collectPairs, {})
    .action(async (name: string, file: string, options: TryOptions) => {
      const { tryIntegration } = await import('../integration/try.ts')
      const { text, isSuccess } = await tryIntegration(name, file, options)
      print(text)
      if (!isSuccess) process.exitCode = 1
    })
}

function createNew(): Command {
  return new Command('new')
    .description(
      'Create an integration in this checkout: a translator, a guide and a fixture that work at once.',
    )
    .argument('<name>', 'lower-case letters, digits and _; it becomes part of the URL')
    .option('--folder <path>', 'the integrations folder (default: the one in this checkout)')
    .action(async (name: string, { folder }: { folder?: string }) => {
      const { NewServiceError, writeNewService } = await import('@oxbow/integrations/new-service')
      const files = await writeNewService(name, folder ? pathToFileURL(`${folder}/`) : undefined).catch(
        (error) => {
          throw error instanceof NewServiceError ? new OperatorError(error.message) : error
        },
      )
      const relativePaths = files.map((file) => relative(process.cwd(), fileURLToPath(file)))
      print(`${relativePaths.join('\n')}\n`)
      print(nextSteps(name, relativePaths))
    })
}

const nextSteps = (
  name: string,
  [translator, , fixture]: string[],
): string => `The new integration already works. Try it:
  oxbow integration try ${name} ${fixture}

Next steps (see docs/writing-an-integration.md):
1. Replace the body of the fixture with a real payload, and delete its .txt file.
2. Write the translation in ${translator}.
3. OXBOW_WRITE_FIXTURES=1 npm test -- integrations/test/fixtures   writes the .txt file: review it.
4. Explain in guide.md where to enter the URL in the settings of the service.`
