import type { Account } from '@oxbow/testkit'
import { call } from './counting-node.ts'

/** A client with a queue that searches the text of its responses without parsing them. */
export interface Listener {
  account: Account
  /**
   * Polls until a response contains this text. Returns the response and its time of arrival as
   * `performance.now`.
   */
  waitFor(text: string): Promise<{ text: string; at: number }>
}

export async function listen(
  node: { url: string },
  account: Account,
  options: Record<string, unknown> = {},
): Promise<Listener> {
  const form = { fetch_event_types: [], queue_lifespan_secs: 3600, include_subscribers: true, ...options }
  const registered = await call(node, account, { method: 'POST', path: '/register', form })
  let { queue_id, last_event_id } = JSON.parse(registered.text) as { queue_id: string; last_event_id: number }
  return {
    account,
    async waitFor(wanted) {
      for (;;) {
        const { text } = await call(node, account, { path: '/events', form: { queue_id, last_event_id } })
        const at = performance.now()
        last_event_id = Number(text.slice(text.lastIndexOf('{"id":') + 6).match(/^\d+/)?.[0] ?? last_event_id)
        if (text.includes(wanted)) return { text, at }
      }
    },
  }
}
