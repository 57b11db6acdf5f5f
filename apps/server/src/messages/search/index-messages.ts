import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job } from '../../platform/jobs.ts'
import { wordsOfContent, wordsOfTopic } from './words.ts'

const atOnce = 500

/**
 * Notes the words of messages that have none: those from before there was a search, and those that a node of an older
 * version sends while a fleet is upgraded. All others have theirs from the moment they are sent.
 */
export const indexMessages = job<unknown>({
  name: 'index_messages',
  schedule: '* * * * *',
  async run({ db }) {
    while ((await inTransaction(db, indexSome)) === atOnce);
  },
})

type Unindexed = Pick<MessageRow, 'organization_id' | 'id' | 'sender_id' | 'topic' | 'rendered_content'>

/** Returns how many. The newest of an organization come first. */
async function indexSome(tx: Tx): Promise<number> {
  const { rows } = await sql<Unindexed>`
    select organization_id, id, sender_id, topic, rendered_content from message where words is null
    order by organization_id, id desc limit ${atOnce} for no key update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const list = <Value>(value: (message: Unindexed) => Value): RawBuilder<unknown> => sql`${rows.map(value)}`
  await sql`
    update message m set words = noted.words::integer[], topic_words = noted.topic_words::integer[]
    from unnest(
      ${list(({ organization_id }) => organization_id)}::bigint[], ${list(({ id }) => id)}::bigint[],
      ${list((message) => literal(wordsOfContent(message.sender_id, message.rendered_content)))}::text[],
      ${list(({ topic }) => literal(wordsOfTopic(topic)))}::text[]
    ) as noted (organization_id, id, words, topic_words)
    where m.organization_id = noted.organization_id and m.id = noted.id`.execute(tx)
  return rows.length
}

/** A list in a list must be text: PostgreSQL has no lists of lists of different lengths. */
const literal = (words: readonly number[]): string => `{${words.join()}}`
