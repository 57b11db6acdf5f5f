import { createRenderer } from '@oxbow/markdown'
import { getSenderTerm, getTopicTerm, listContentTerms, listTopicTerms } from '@oxbow/search'
import { readMessages } from '../../../packages/search/relevance/evaluate.ts'
import type { Archive, MessageTexts } from '../messages/archive/archive.ts'

/** Number of texts to choose from. Each joins two messages of one language. */
const texts = 60_000
/** Number of made-up words. The n-th is about 1/n as frequent as the first. */
const vocabulary = 200_000
/** Number of made-up words per message. */
const madeUpPerMessage = 4

/** Words that were added to messages of the archive, to be searched for. */
export const planted = {
  /** Occurs in a tenth of all messages. */
  common: 'ubiquitous',
  /** Occurs in one of a hundred messages. */
  occasional: 'occasional',
  /** Occurs only in streams that the reader is not subscribed to, in a tenth of their messages. */
  hidden: 'clandestine',
  /** Occurs only in the first fifth of the archive, in a tenth of its messages. */
  bygone: 'bygone',
}

/** Returns the made-up word of this rank. `madeUpSql` spells it in the same way. */
export const inventWord = (rank: number): string =>
  `q${String(rank).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}`
const madeUpSql = (rank: string) => `'q' || translate(${rank}::text, '0123456789', 'bcdfghjklm')`

const rankColumns = Array.from({ length: madeUpPerMessage }, (_, index) => `rank${index}`)
const skewed = `least(${vocabulary}, floor(exp(random() * ln(${vocabulary} + 1))))::int`

const isHidden = '(is_lot and not is_private and (stream - 1) % 4 <> 0)'
const isBygone = '(is_lot and id < (select id from bench_bygone))'

const wordsOf = (text: string): number[] => listContentTerms(`<p>${text}</p>`)
const list = (words: readonly number[]): string => `{${words.join()}}`
const literal = (word: string): string => `'${list(wordsOf(word))}'::integer[]`

/** Texts in eight languages, with code and URLs. */
export const languages: MessageTexts = {
  prepare,
  lots: [
    `ceil(random() * ${texts})::int as said`,
    ...rankColumns.map((name) => `${skewed} as ${name}`),
    `random() < 0.1 as is_common`,
    `random() < 0.01 as is_occasional`,
    `random() < 0.1 as is_lot`,
  ],
  text: `said.content || ${rankColumns.map((name) => `' ' || ${madeUpSql(name)}`).join(' || ')}
    || case when is_common then ' ${planted.common}' else '' end
    || case when is_occasional then ' ${planted.occasional}' else '' end
    || case when ${isHidden} then ' ${planted.hidden}' else '' end
    || case when ${isBygone} then ' ${planted.bygone}' else '' end`,
  drawn: [
    `said.words || array(select word from bench_vocabulary where rank in (${rankColumns.join()}))
      || case when is_common then ${literal(planted.common)} else '{}' end
      || case when is_occasional then ${literal(planted.occasional)} else '{}' end
      || case when ${isHidden} then ${literal(planted.hidden)} else '{}' end
      || case when ${isBygone} then ${literal(planted.bygone)} else '{}' end as said_words`,
  ],
  drawnJoins: 'join bench_said said on said.number = drawn.said',
  words: 'said_words || bench_sender.word',
  topicWords: `coalesce(bench_topic.words, '{}')`,
  madeJoins: `join bench_sender on bench_sender.user_id = made.sender
    left join bench_topic on bench_topic.topic = made.topic`,
}

async function prepare({ session, organization_id, floor, rows }: Archive): Promise<void> {
  await session.query(`
    create temporary table bench_said (number integer primary key, content text, words integer[]);
    create temporary table bench_vocabulary (rank integer, word integer);
    create temporary table bench_sender (user_id bigint, word integer);
    create temporary table bench_topic (topic text, words integer[]);
    create temporary table bench_bygone (id bigint)`)
  const said = makeTexts()
  await session.query(
    'insert into bench_said select number, content, words::integer[] from unnest($1::text[], $2::text[]) with ordinality as t (content, words, number)',
    [said.map(({ content }) => content), said.map(({ words }) => list(words))],
  )
  const words = Array.from({ length: vocabulary }, (_, index) =>
    wordsOf(inventWord(index + 1)).map((word) => ({ rank: index + 1, word })),
  ).flat()
  await session.query('insert into bench_vocabulary select * from unnest($1::integer[], $2::integer[])', [
    words.map(({ rank }) => rank),
    words.map(({ word }) => word),
  ])
  await session.query('create index on bench_vocabulary (rank) include (word)')
  const { rows: people } = await session.query<{ id: number }>(
    'select id from user_account where organization_id = $1',
    [organization_id],
  )
  await session.query('insert into bench_sender select * from unnest($1::bigint[], $2::integer[])', [
    people.map(({ id }) => id),
    people.map(({ id }) => getSenderTerm(Number(id))),
  ])
  const topics = Array.from({ length: 50 }, (_, number) => `topic ${number}`)
  await session.query(
    'insert into bench_topic select topic, words::integer[] from unnest($1::text[], $2::text[]) as t (topic, words)',
    [topics, topics.map((topic) => list([...listTopicTerms(topic), getTopicTerm(topic)]))],
  )
  await session.query('insert into bench_bygone values ($1)', [floor + Math.round(rows / 5)])
  await session.query('analyze bench_said, bench_vocabulary, bench_sender, bench_topic')
}

/** Creates texts with their search words. The texts have no characters that HTML escapes. */
function makeTexts(): { content: string; words: number[] }[] {
  const renderer = createRenderer()
  const byLanguage = [...Map.groupBy(readMessages(), ({ language }) => language).values()]
  return Array.from({ length: texts }, (_, index) => {
    const messages = byLanguage[index % byLanguage.length] ?? []
    const one = () => messages[Math.floor(Math.random() * messages.length)]?.content ?? ''
    const content = `${one()} ${one()}`.replace(/[<>&"']/g, ' ')
    return { content, words: listContentTerms(renderer.render(content, {}).html) }
  })
}
