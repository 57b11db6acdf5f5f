import { BotInterface, chatVersion, type FetchedMessage } from '@oxbow/contract'
import { openToken } from '../../identity/accounts/service-seals.ts'
import { getShownMessage } from '../../messages/read/list-messages.ts'
import type { App } from '../../platform/app.ts'
import type { OutboundRequest } from '../../platform/outbound/fetch-outbound.ts'
import type { Call } from './end-call.ts'
import type { CalledBot, Place } from './queries.ts'

type Post = NonNullable<OutboundRequest['post']>

const maxAnswerBytes = 200_000
const timeoutMs = 10_000

/** Builds the request that calls a bot, in the format that its owner has chosen. */
export async function buildRequest(
  app: App,
  { attempt: { message_id }, bot, place, actor }: Call,
): Promise<OutboundRequest> {
  const message = await getShownMessage(app, actor, message_id, false)
  const token = openToken(app, { organization_id: bot.organization_id, user_id: bot.id }, bot)
  const post =
    bot.interface === BotInterface.form
      ? buildForm(bot, message, token)
      : buildJson(bot, message, token, place, await getShownMessage(app, actor, message_id, true))
  return {
    post,
    accept: 'application/json',
    agent: `ChatOutgoingWebhook/${chatVersion}`,
    maxBytes: maxAnswerBytes,
    timeoutMs,
  }
}

function buildJson(
  bot: CalledBot,
  { flags: _, content_type: __, ...message }: FetchedMessage,
  token: string,
  { is_private }: Place,
  { content: rendered_content }: FetchedMessage,
): Post {
  const call = {
    data: message.content,
    message: { ...message, rendered_content },
    bot_email: bot.delivery_email,
    bot_full_name: bot.full_name,
    token,
    trigger: is_private ? 'private_message' : 'mention',
  }
  return { body: JSON.stringify(call), contentType: 'application/json' }
}

/** Builds the form that receivers written for Slack expect. Only messages in streams are sent this way. */
function buildForm(bot: CalledBot, message: FetchedMessage, token: string): Post {
  const form = new URLSearchParams({
    token,
    team_id: bot.subdomain,
    team_domain: message.sender_email.slice(message.sender_email.lastIndexOf('@') + 1),
    channel_id: message.type === 'stream' ? String(message.stream_id) : '',
    channel_name: message.type === 'stream' ? message.display_recipient : '',
    timestamp: String(message.timestamp),
    user_id: String(message.sender_id),
    user_name: message.sender_full_name,
    text: message.content,
    trigger_word: 'mention',
    service_id: String(bot.id),
  })
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' }
}
