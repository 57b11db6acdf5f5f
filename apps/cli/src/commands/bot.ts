import { listServices } from '@oxbow/integrations'
import { addBotByOperator, createBotCatalog } from '@oxbow/server'
import { Command } from 'commander'
import { getOrganizationUrl } from '../address.ts'
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
    .requiredOption('--name <name>', 'full name, which must be unique')
    .requiredOption('--short-name <name>', 'the part of its address before -bot@ and the domain of bots')
    .requiredOption('--owner <address>', 'the e-mail address of the person who owns it')
    .option('--type <type>', 'generic, incoming-webhook or outgoing-webhook', 'generic')
    .option('--service <name>', 'the integration that an incoming webhook is for')
    .option('--payload-url <url>', 'the URL of an outgoing webhook; this server does not call it yet')
    .option('--subdomain <label>', 'the organization (default: the one at the root host)', '')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      `
To create a bot that another service posts through:
  oxbow bot create --name "GitHub" --short-name github --type incoming-webhook --service github --owner me@example.com
Give the printed URL to that service. Add &stream=NAME to post to a stream; without it, messages go to the owner.

To create a bot for your own program, which signs in with the bot's address and key:
  oxbow bot create --name "Gardener" --short-name gardener --owner me@example.com`,
    )
    .action(async ({ json, shortName, payloadUrl, ...given }: CreateOptions) => {
      const origin = getOrganizationUrl(given.subdomain)
      const catalog = createBotCatalog(await listServices())
      const { isWebhook, ...made } = await withApp((app) =>
        addBotByOperator(app, catalog, { ...given, short_name: shortName, payload_url: payloadUrl, origin }),
      )
      const { service = 'NAME' } = given
      const url = `${origin}/api/v1/external/${service}?api_key=${made.api_key}`
      if (given.type === 'outgoing-webhook')
        warn('This server does not call outgoing webhooks yet, so nothing is sent to the URL of this bot.')
      if (json) return printJson({ ...made, ...(isWebhook && { url }) })
      print(`${made.email} is bot ${made.user_id}. API key: ${made.api_key}`)
      if (isWebhook) print(`Webhook URL: ${url}`)
      if (isWebhook && !given.service)
        print('Replace NAME by the integration, such as github. `oxbow integration list` lists them.')
    })
}
