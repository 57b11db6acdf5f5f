import { type Account, basic } from '@oxbow/testkit'
import { loadPosts } from '../../load-posts.ts'

export interface Sends {
  form: Record<string, string>
  connections: number
  seconds: number
}

/** Sends one message repeatedly and returns the accepted messages per second. */
export async function loadSends(
  url: string,
  account: Account,
  { form, connections, seconds }: Sends,
): Promise<number> {
  return loadPosts(`${url}/api/v1/messages`, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: basic(account) },
    body: new URLSearchParams(form).toString(),
    connections,
    seconds,
  })
}
