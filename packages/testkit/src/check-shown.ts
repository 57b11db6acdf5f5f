import type { Account } from './account.ts'
import type { SentMessage } from './check-messages.ts'
import { eventually } from './eventually.ts'
import { request } from './http.ts'

/**
 * Counts messages that GET /messages does not list although the account may read them, and messages
 * that it lists although the account may not.
 */
export async function countListingMismatches(
  urls: readonly string[],
  people: readonly Account[],
  messages: readonly SentMessage[],
  /** Id of the newest message that was checked before; only newer messages are read. */
  after: number,
): Promise<number> {
  const recipients = new Set(messages.map(({ send }) => send.recipient))
  const reads = [
    ...people.map((person) => {
      const own = messages.filter(({ readers }) => readers.has(person.user_id))
      return { person, narrow: [], expected: own }
    }),
    ...[...recipients].flatMap((recipient) =>
      recipient.onlookers.slice(0, 1).map((person) => ({
        person,
        narrow: [{ operator: 'stream', operand: Number(recipient.form.to) }],
        expected: messages.filter(({ send }) => send.recipient === recipient),
      })),
    ),
  ]
  const contents = new Set(messages.map(({ send }) => send.content))
  const counts = reads.map(async ({ person, narrow, expected }, index) => {
    const shown = (await list(urls, index, person, narrow, after)).filter(({ content }) =>
      contents.has(content),
    )
    const asText = (id: number, content: string) => `${id} ${content}`
    const found = new Set(shown.map(({ id, content }) => asText(id, content)))
    const due = new Set(expected.map(({ id, send }) => asText(id, send.content)))
    return due.symmetricDifference(found).size + (shown.length - found.size)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** Lists messages from the first node that responds, because some nodes may be dead. */
async function list(
  urls: readonly string[],
  first: number,
  credentials: Account,
  narrow: object[],
  after: number,
): Promise<{ id: number; content: string }[]> {
  const page = { anchor: String(after + 1), num_before: '0', num_after: '5000', apply_markdown: 'false' }
  const query = { ...page, narrow: JSON.stringify(narrow) }
  let attempt = first
  const response = await eventually(async () => {
    const url = urls[attempt++ % urls.length] as string
    const got = await request(url, { path: '/api/v1/messages', credentials, query }).catch(() => undefined)
    return got?.status === 200 && got.body.found_newest === true && got
  }, 30_000)
  return response.body.messages as { id: number; content: string }[]
}
