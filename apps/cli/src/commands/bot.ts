import { listServices } from '@oxbow/integrations'
import { addBotByOperator, catalogOf } from '@oxbow/server'
import { Command } from 'commander'
import { addressOf } from '../address.ts'
import { print, printJson, warn } from '../report.ts'
import { withApp } from '../with-app.ts'

export function botCommand(): Command {
  return new Command('bot').description('Create bots.').addCommand(create())
}

interface CreateOptions {
  name: string
  shortName: string
  type: string
  owner: string
  service?: string
  payloadUrl?: string
  subdomain: string
  json?: boolean
}

function create(): Command {
  return new Command('create')
    .description('Create a bot and show its API key.')
    .requiredOption('--name <name>', 'full name, which nobody else may have')
    .requiredOption('--short-name <name>', 'its address is this, -bot@ and the domain of bots')
    .requiredOption('--owner <address>', 'the e-mail address of the person who answers for it')
    .option('--type <type>', 'generic, incoming-webhook or outgoing-webhook', 'generic')
    .option('--service <name>', 'the integration of an incoming webhook')
    .option('--payload-url <url>', 'what an outgoing webhook calls; this server does not call it yet')
    .option('--subdomain <label>', 'the organization; without it, the one on the root host', '')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      `
A bot that other services post through:
  oxbow bot create --name "GitHub" --short-name github --type incoming-webhook --service github --owner me@example.com
What is printed is the URL to give to that service. Add &stream=NAME to have its messages in a stream; without it
they go to the owner.

A bot of your own, which signs in with its address and key:
  oxbow bot create --name "Gardener" --short-name gardener --owner me@example.com`,
    )
    .action(async ({ json, shortName, payloadUrl, ...given }: CreateOptions) => {
      const origin = addressOf(given.subdomain)
      const catalog = catalogOf(await listServices())
      const { isWebhook, ...made } = await withApp((app) =>
        addBotByOperator(app, catalog, { ...given, short_name: shortName, payload_url: payloadUrl, origin }),
      )
      const { service = 'NAME' } = given
      const url = `${origin}/api/v1/external/${service}?api_key=${made.api_key}`
      if (given.type === 'outgoing-webhook')
        warn('This server does not call outgoing webhooks yet: nothing is sent to the URL of this bot.')
      if (json) return printJson({ ...made, ...(isWebhook && { url }) })
      print(`${made.email} is bot ${made.user_id}. API key: ${made.api_key}`)
      if (isWebhook) print(`Its URL: ${url}`)
      if (isWebhook && !given.service)
        print('NAME is the integration, like github; `oxbow integration list` names all.')
    })
}
