import type { api, Bot, FetchedMessage, MessageId, ResponseOf, WebhookFailure } from '@oxbow/contract'
import { client } from '../client/client.ts'
import { routeOfFetched } from '../client/messages/links.ts'
import { writeHash } from '../client/route/hash.ts'
import { changeBot, fetchBotKey } from './change-bot.ts'

/** A service that can post, without its guide, which the server shows at `/integrations`. */
export type Integration = Omit<
  ResponseOf<typeof api.webhooks.listIntegrations>['integrations'][number],
  'guide_html'
>

let integrations: Promise<readonly Integration[]> | undefined

/** Lists the services that can post, by title. They are fetched once, because only a new server has others. */
export function listIntegrations(): Promise<readonly Integration[]> {
  integrations ??= fetchIntegrations().catch((error: unknown) => {
    integrations = undefined
    throw error
  })
  return integrations
}

async function fetchIntegrations(): Promise<readonly Integration[]> {
  const found = await client.webhooks.listIntegrations()
  return found.integrations.map(({ guide_html: _, ...integration }) => integration)
}

/** Sets the secret with which services sign deliveries to an incoming webhook; an empty one removes it. */
export const changeWebhookSecret = (bot: Pick<Bot, 'user_id'>, webhook_secret: string): Promise<unknown> =>
  changeBot(bot, { config_data: { webhook_secret } })

/**
 * Delivers a greeting as the service Hello World would, with the key of the bot. `url` is the URL of a
 * delivery without the key. Throws the server's refusal.
 */
export async function sendTestDelivery(bot: Pick<Bot, 'email'>, url: string): Promise<void> {
  const test = new URL(url)
  test.searchParams.set('api_key', (await fetchBotKey(bot)) ?? '')
  const response = await fetch(test.pathname + test.search, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ featured_title: 'Rose', featured_url: 'https://en.wikipedia.org/wiki/Rose' }),
  })
  if (response.ok) return
  const body: unknown = await response.json()
  throw Object.assign(new Error('the test was refused'), { status: response.status, body })
}

/** Lists the refused deliveries to a bot, newest first. Their bodies may have many megabytes. */
export async function listFailures(
  { user_id }: Pick<Bot, 'user_id'>,
  include_bodies: boolean,
): Promise<readonly WebhookFailure[]> {
  const { webhook_failures } = await client.webhooks.listFailures({ bot_id: user_id, include_bodies })
  return webhook_failures
}

/** The result of a delivery that was replayed. */
export type Replay =
  /** `link` is the fragment of the first message; undefined if there is none that the user may read. */
  | { readonly kind: 'delivered'; readonly count: number; readonly link: string | undefined }
  | { readonly kind: 'refused'; readonly code: string | undefined; readonly reason: string }

/** Replays a refused delivery. Throws if the server does not replay it. */
export async function replayFailure(
  { user_id }: Pick<Bot, 'user_id'>,
  { id }: Pick<WebhookFailure, 'id'>,
): Promise<Replay> {
  const { outcome, message_ids, code, reason } = await client.webhooks.replayFailure({
    bot_id: user_id,
    failure_id: id,
  })
  if (outcome === 'refused') return { kind: 'refused', code, reason: reason ?? '' }
  const [first] = message_ids
  const message = first && (await fetchMessage(first))
  return {
    kind: 'delivered',
    count: message_ids.length,
    link: message && writeHash(routeOfFetched(message)),
  }
}

const fetchMessage = (message_id: MessageId): Promise<FetchedMessage | undefined> =>
  client.messages.getRaw({ message_id, apply_markdown: false }).then(
    ({ message }) => message,
    () => undefined,
  )
