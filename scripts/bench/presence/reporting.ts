import { setTimeout } from 'node:timers/promises'
import { basic } from '@oxbow/testkit'
import type { Office } from './office.ts'

export interface Pace {
  perSecond: number
  seconds: number
}

/** Of a hundred who report, so many were away before. */
const returning = 5

/** As clients do, who only say that someone is there. */
export async function reportOverHttp(office: Office, { url }: { url: string }, pace: Pace): Promise<number> {
  await settleIn(office, pace)
  return atPace(office, pace, async ({ email, api_key }) => {
    const response = await fetch(`${url}/api/v1/users/me/presence`, {
      method: 'POST',
      headers: { authorization: basic({ email, api_key }) },
      body: new URLSearchParams({ status: 'active', ping_only: 'true' }),
    })
    if (!response.ok) throw new Error(`a report was refused: ${await response.text()}`)
    await response.arrayBuffer()
  })
}

/** Everyone reported a minute before their turn, and those who return said later that they are idle. */
async function settleIn({ session, organization_id, people }: Office, { perSecond }: Pace): Promise<void> {
  await session.query(
    `insert into presence (organization_id, user_id, client, active_at, idle_at)
     select $1, user_id, 'node', last, case when random() * 100 < $3 then last + interval '20 seconds' end
     from unnest($2::bigint[]) with ordinality as person (user_id, place),
       lateral (select now() + (place / $4::float - 60) * interval '1 second' as last) as report`,
    [organization_id, people.map(({ user_id }) => user_id), returning, perSecond],
  )
}

/** Each report is one statement of its own with one event to everyone, and wakes the node that numbers them. */
export async function reportNaively(office: Office, pace: Pace): Promise<number> {
  const { pool, organization_id } = office
  return atPace(office, pace, async ({ user_id, email }) => {
    await pool.query({ name: 'report', text: naiveStatement, values: [organization_id, user_id, email] })
  })
}

const naiveStatement = `
  with written as (
    insert into presence (organization_id, user_id, client, active_at) values ($1, $2, 'naive', now())
    on conflict (organization_id, user_id, client) do update set active_at = now()
  ), told as (
    insert into outbox (organization_id, header, event)
    values ($1, '{"type":"naive","to":{"roles":"everyone"}}', json_build_object('type', 'naive', 'user_id', $2::bigint,
      'email', $3::text, 'server_timestamp', extract(epoch from now()), 'presence', json_build_object('naive',
      json_build_object('client', 'naive', 'status', 'active', 'timestamp', floor(extract(epoch from now())),
        'pushable', false)))::text)
  )
  select pg_notify('oxbow_pokes', '')`

/** Returns how many were made; in what cannot keep up, fewer than were wanted. */
async function atPace(
  { people }: Pick<Office, 'people'>,
  { perSecond, seconds }: Pace,
  report: (person: Office['people'][number]) => Promise<void>,
): Promise<number> {
  const start = performance.now()
  const underWay = new Set<Promise<void>>()
  let made = 0
  while (performance.now() - start < seconds * 1_000) {
    const due = Math.floor(((performance.now() - start) / 1_000) * perSecond)
    while (made < due && underWay.size < 200) {
      const person = people[made++ % people.length]
      if (!person) throw new Error('there is nobody')
      const reporting = report(person).finally(() => underWay.delete(reporting))
      underWay.add(reporting)
    }
    await setTimeout(5)
  }
  await Promise.all(underWay)
  return made
}
