import type { Person, World } from '@oxbow/testkit'
import { emitEvents } from '../../events/test/emit-events.ts'

/**
 * Creates streams that consist only of ids and subscription periods, because event delivery needs
 * nothing else of streams.
 */
export function makeTestStreams(world: World) {
  let streams = 0
  const newStream = () => ++streams

  const outboxId = async (): Promise<number> => {
    const [row] = await world.database.query<{ id: number }>(`select nextval('outbox_id')::int as id`)
    return row?.id ?? 0
  }

  /**
   * Writes subscription periods and their effect, as a subscribe action does. Returns the outbox id
   * from which they apply.
   */
  async function subscribe(people: Person[], stream: number): Promise<number> {
    const at = await outboxId()
    const users = people.map(({ user_id }) => user_id)
    await world.database.query(
      `insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
       select $1, user_id, $3, $4, nextval('message_id') from unnest($2::bigint[]) as user_id`,
      [world.organization_id, users, stream, at],
    )
    await emitEvents(world, { effects: [{ kind: 'subscriptions', users, stream, subscribed: true, at }] })
    return at
  }

  const endPeriods = (stream: number, at: number, users: number[] | null) =>
    world.database.query(
      `update subscription_period set to_outbox_id = $3, to_message_id = nextval('message_id')
       where organization_id = $1 and stream_id = $2 and to_outbox_id is null and user_id = any(coalesce($4, array[user_id]))`,
      [world.organization_id, stream, at, users],
    )

  async function unsubscribe(people: Person[], stream: number): Promise<number> {
    const at = await outboxId()
    const users = people.map(({ user_id }) => user_id)
    await endPeriods(stream, at, users)
    await emitEvents(world, { effects: [{ kind: 'subscriptions', users, stream, subscribed: false, at }] })
    return at
  }

  async function archive(stream: number): Promise<number> {
    const at = await outboxId()
    await endPeriods(stream, at, null)
    await emitEvents(world, { effects: [{ kind: 'archive', stream, at }] })
    return at
  }

  return { newStream, outboxId, subscribe, unsubscribe, archive }
}
