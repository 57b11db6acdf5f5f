import type { MeasuredPage } from './measured-page.ts'
import { hashOf, listIds, type Team, type Topic } from './team.ts'

/** Visits conversations one after the other by their URLs, and waits for the messages of each. */
export async function visitTopics({ page }: MeasuredPage, topics: readonly Topic[]): Promise<void> {
  for (const topic of topics) {
    const hash = hashOf(topic)
    await page.evaluate(`location.hash = '${hash}'; figures.until(() =>
      document.title.includes('${topic.name} · ${topic.stream.name}') && document.querySelector('.Row[data-id]')
    ).then(figures.painted)`)
  }
}

/** Number of events that are inserted with one statement. */
const batch = 1_000

/**
 * Makes the page apply many events: reactions that are added and removed, and typing. The events
 * are inserted into the outbox and delivered like all others. Returns when the page shows a message
 * that was sent after them.
 */
export async function applyEvents({ page }: MeasuredPage, team: Team, count: number): Promise<void> {
  const { world, others, topics, reader } = team
  const shown = topics.at(-1) as Topic
  const ids = await listIds(world, shown)
  const emails = Object.fromEntries(others.map(({ user_id, email }) => [user_id, email]))
  for (let start = 0; start < count; start += batch) {
    const events = Array.from({ length: batch }, (_, index) => {
      const turn = start + index
      const user_id = others[(turn >> 2) % others.length]?.user_id
      const message_id = ids[(turn >> 2) % ids.length]
      if (turn % 2 === 1)
        return {
          type: 'typing',
          op: turn % 4 === 1 ? 'start' : 'stop',
          message_type: 'private',
          sender: { user_id, email: emails[user_id ?? 0] },
          recipients: [
            { user_id, email: emails[user_id ?? 0] },
            { user_id: reader.user_id, email: reader.email },
          ],
        }
      const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
      const user = { user_id, email: emails[user_id ?? 0], full_name: 'Person' }
      return { type: 'reaction', op: turn % 4 === 0 ? 'add' : 'remove', user_id, user, message_id, ...emoji }
    })
    await world.database.query(
      `insert into outbox (organization_id, header, event)
       select $1, json_build_object('type', event::json ->> 'type', 'to', json_build_object('roles', 'everyone')), event
       from unnest($2::text[]) with ordinality as made (event, place) order by place`,
      [world.organization_id, events.map((event) => JSON.stringify(event))],
    )
  }
  const content = `All ${count} events are sent.`
  await others[0]?.messages.send({ type: 'stream', to: shown.stream.name, topic: shown.name, content })
  await page.waitForSelector(`.Row[data-id]:has-text("${content}")`, { timeout: 900_000 })
}
