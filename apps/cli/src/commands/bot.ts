import { listServices } from '@oxbow/integrations'
import { addBotByOperator, createBotCatalog, OperatorError } from '@oxbow/server'
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
  calls?: string
  subdomain: string
  json?: boolean
}

function create(): Command {
  return new Command('create')
    .description('Create a bot and show its API key.')
    .requiredOption('--name <name>', 'full name, which must be unique')
    .requiredOption(
      '--short-name <name>',
      'the first part of its e-mail address: herald becomes herald-bot@…',
    )
    .requiredOption('--owner <address>', 'the e-mail address of the person who owns it')
    .option('--type <type>', 'generic, incoming-webhook or outgoing-webhook', 'generic')
    .option('--service <name>', 'the integration that an incoming webhook is for')
    .option('--payload-url <url>', 'the URL of an outgoing webhook, called with each message for the bot')
    .option('--calls <form>', 'the form of these calls: json, or slack as Slack sends them (default: json)')
    .option('--subdomain <label>', 'the organization (default: the one at the root host)', '')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      `
To create a bot for another service's webhook:
  oxbow bot create --name "GitHub" --short-name github --type incoming-webhook --service github --owner me@example.com
Give the printed URL to that service. Add &stream=NAME to post to a stream; without it, messages go to the owner.

To create a bot whose URL this server calls with messages for it (docs/clients.md describes the calls):
  oxbow bot create --name "Weather" --short-name weather --type outgoing-webhook --payload-url https://weather.example.com/ --owner me@example.com
A URL at a private address is called only if OXBOW_OUTWARD_ALLOWED_NETWORKS of the node allows it.

To create a bot for your own program, which signs in with the bot's address and key:
  oxbow bot create --name "Gardener" --short-name gardener --owner me@example.com`,
    )
    .action(async ({ json, shortName, payloadUrl, ...options }: CreateOptions) => {
      // Such a bot would be of no use: it has no URL, and its type cannot be changed.
      if (payloadUrl !== undefined && options.type !== 'outgoing-webhook')
        throw new OperatorError('--payload-url needs --type outgoing-webhook. No bot was created.')
      if (options.calls !== undefined && options.type !== 'outgoing-webhook')
        throw new OperatorError('--calls needs --type outgoing-webhook. No bot was created.')
      const origin = getOrganizationUrl(options.subdomain)
      const catalog = createBotCatalog(await listServices())
      const { isWebhook, token, ...bot } = await withApp((app) =>
        addBotByOperator(app, catalog, {
          ...options,
          short_name: shortName,
          payload_url: payloadUrl,
          origin,
        }),
      )
      const { service = 'NAME' } = options
      const url = `${origin}/api/v1/external/${service}?api_key=${bot.api_key}`
      if (options.type === 'outgoing-webhook' && !payloadUrl)
        warn(
          `This bot cannot answer until its owner sets a URL, because --payload-url was not given. To set it: PATCH /api/v1/bots/${bot.user_id} with service_payload_url.`,
        )
      if (json) return printJson({ ...bot, ...(token && { token }), ...(isWebhook && { url }) })
      print(`${bot.email} is bot ${bot.user_id}. API key: ${bot.api_key}`)
      if (token) print(`Token, to compare with the token in each call: ${token}`)
      if (isWebhook) print(`Webhook URL: ${url}`)
      if (isWebhook && !options.service)
        print(
          'Replace NAME with the name of an integration, such as github. `oxbow integration list` lists them.',
        )
    })
}
