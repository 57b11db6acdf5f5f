import { type RawRequest, request } from '../http.ts'
import type { NodeName } from '../test-server.ts'
import type { Person, World } from '../world.ts'

export const article = {
  featured_title: 'Marilyn Monroe',
  featured_url: 'https://en.wikipedia.org/wiki/Marilyn_Monroe',
}

export const greeting = [
  'Hello! I am happy to be here! :smile:',
  'The Wikipedia featured article for today is **[Marilyn Monroe](https://en.wikipedia.org/wiki/Marilyn_Monroe)**',
].join('\n')

export interface Delivering extends Omit<RawRequest, 'path'> {
  integration?: string
  node?: NodeName
  /** The bot whose API key is in the URL. */
  bot?: Person
}

/** Delivers a webhook without the SDK. The default body is the article that `helloworld` expects. */
export async function deliver(world: World, delivery: Delivering = {}) {
  const { integration = 'helloworld', node = 'a', bot, query, ...rest } = delivery
  const hasBody = 'json' in rest || 'form' in rest || 'body' in rest || 'multipart' in rest
  const { status, body, headers } = await request(world.nodes[node].url, {
    method: 'POST',
    path: `/api/v1/external/${integration}`,
    query: { ...(bot && { api_key: bot.api_key }), ...query },
    ...(!hasBody && rest.method === undefined && { json: article }),
    ...rest,
  })
  return { status, body, headers }
}

export const success = { result: 'success', msg: '' }
