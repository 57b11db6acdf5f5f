import { createRequire } from 'node:module'
import { inspect } from 'node:util'

/**
 * Sends a message with zulip-js and prints every message until it is stopped.
 * usage: node scripts/clients/zulip-js.ts SITE EMAIL API_KEY
 */
const [realm, username, apiKey] = process.argv.slice(2)
if (!realm || !username || !apiKey) {
  process.stderr.write('usage: node scripts/clients/zulip-js.ts SITE EMAIL API_KEY\n')
  process.exit(2)
}

interface Client {
  users: { me: { subscriptions: { add(params: object): Promise<object> } } }
  messages: { send(params: object): Promise<object> }
  callOnEachEvent(callback: (event: object) => void, types?: string[]): Promise<void>
}
const zulip = createRequire(import.meta.url)('zulip-js') as (config: object) => Promise<Client>

const print = (value: object | string) =>
  process.stdout.write(`${typeof value === 'string' ? value : inspect(value)}\n`)

const client = await zulip({ realm, username, apiKey })
print(await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'garden' }]) }))
print(await client.messages.send({ type: 'stream', to: 'garden', topic: 'roses', content: 'Hello' }))
print('following messages; stop with Ctrl-C')
await client.callOnEachEvent(print, ['message'])
