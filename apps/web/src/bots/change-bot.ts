import type { ArgumentsOf, api, Bot } from '@oxbow/contract'
import { createdBot, findOutgoingService } from '../client/account/own-bots.ts'
import { client } from '../client/client.ts'
import { openRoute } from '../client/route/router.ts'

/** Creates a bot and opens its page. Throws the server's refusal. */
export async function createBot(draft: ArgumentsOf<typeof api.bots.create>): Promise<void> {
  const { user_id } = await client.bots.create(draft)
  createdBot.value = user_id
  openRoute({ view: 'bot', user_id, page: 'general' })
}

type Changes = Omit<ArgumentsOf<typeof api.bots.update>, 'bot_id'>

/** Changes a bot. Throws the server's refusal. */
export const changeBot = ({ user_id }: Pick<Bot, 'user_id'>, changes: Changes): Promise<unknown> =>
  client.bots.update({ bot_id: user_id, ...changes })

/** Uploads a picture of a bot; the server crops it to a square. */
export const uploadBotPicture = (bot: Pick<Bot, 'user_id'>, file: File): Promise<unknown> =>
  changeBot(bot, { files: [{ name: file.name, bytes: file }] })

/**
 * Fetches the API key of a bot, which the state of the client does not contain. Undefined if the
 * bot was deactivated meanwhile.
 */
export async function fetchBotKey({ email }: Pick<Bot, 'email'>): Promise<string | undefined> {
  const { bots } = await client.bots.list()
  return bots.find(({ username }) => username === email)?.api_key
}

/** Replaces the API key of a bot. The old one stops working at once. */
export const replaceBotKey = ({ user_id }: Pick<Bot, 'user_id'>): Promise<unknown> =>
  client.bots.regenerateApiKey({ bot_id: user_id })

/**
 * Fetches the token of an outgoing webhook. Only a new state contains it, so this registers a queue and
 * deletes it again.
 */
export async function fetchBotToken({ user_id }: Pick<Bot, 'user_id'>): Promise<string | undefined> {
  const types = ['realm_bot']
  const { queue_id, realm_bots } = await client.events.register({
    event_types: types,
    fetch_event_types: types,
  })
  // A queue that is not deleted expires.
  client.events.deleteQueue({ queue_id }).catch(() => {})
  const bot = realm_bots?.find((other) => other.user_id === user_id)
  return bot && findOutgoingService(bot)?.token
}

export const deactivateBot = ({ user_id }: Pick<Bot, 'user_id'>): Promise<unknown> =>
  client.bots.deactivate({ bot_id: user_id })

export const reactivateBot = ({ user_id }: Pick<Bot, 'user_id'>): Promise<unknown> =>
  client.users.reactivate({ user_id })
