import { setTimeout } from 'node:timers/promises'
import { basic } from '@oxbow/testkit'
import type { PresenceOrganization } from './presence-organization.ts'

export interface Pace {
  perSecond: number
  seconds: number
}

/** Percentage of reports by people who were away before. */
const returningPercent = 5

/** Sends presence reports over HTTP with `ping_only`, as clients do. */
export async function reportOverHttp(
  organization: PresenceOrganization,
  { url }: { url: string },
  pace: Pace,
): Promise<number> {
  await insertEarlierReports(organization, pace)
  return reportAtPace(organization, pace, async ({ email, api_key }) => {
    const response = await fetch(`${url}/api/v1/users/me/presence`, {
      method: 'POST',
      headers: { authorization: basic({ email, api_key }) },
      body: new URLSearchParams({ status: 'active', ping_only: 'true' }),
    })
    if (!response.ok) throw new Error(`a report was refused: ${await response.text()}`)
    await response.arrayBuffer()
  })
}

/**
 * Inserts earlier reports. Everyone was active a minute before their next report, and the returning
 * people became idle 20 seconds after that.
 */
async function insertEarlierReports(
  { session, organization_id, people }: PresenceOrganization,
  { perSecond }: Pace,
): Promise<void> {
  await session.query(
    `insert into presence (organization_id, user_id, client, active_at, idle_at)
     select $1, user_id, 'node', last, case when random() * 100 < $3 then last + interval '20 seconds' end
     from unnest($2::bigint[]) with ordinality as person (user_id, number),
       lateral (select now() + (number / $4::float - 60) * interval '1 second' as last) as report`,
    [organization_id, people.map(({ user_id }) => user_id), returningPercent, perSecond],
  )
}

/** Makes each report with one statement, which emits an event to everyone and pokes the sequencer. */
export async function reportNaively(organization: PresenceOrganization, pace: Pace): Promise<number> {
  const { pool, organization_id } = organization
  return reportAtPace(organization, pace, async ({ user_id, email }) => {
    await pool.query({ name: 'report', text: naiveStatement, values: [organization_id, user_id, email] })
  })
}

const naiveStatement = `
  with written as (
    insert into presence (organization_id, user_id, client, active_at) values ($1, $2, 'naive', now())
    on conflict (organization_id, user_id, client) do update set active_at = now()
  ), emitted as (
    insert into outbox (organization_id, header, event)
    values ($1, '{"type":"naive","to":{"roles":"everyone"}}', json_build_object('type', 'naive', 'user_id', $2::bigint,
      'email', $3::text, 'server_timestamp', extract(epoch from now()), 'presence', json_build_object('naive',
      json_build_object('client', 'naive', 'status', 'active', 'timestamp', floor(extract(epoch from now())),
        'pushable', false)))::text)
  )
  select pg_notify('oxbow_pokes', '')`

/**
 * Reports at the given pace and returns the number of reports. The number is smaller if the server
 * cannot keep up.
 */
async function reportAtPace(
  { people }: Pick<PresenceOrganization, 'people'>,
  { perSecond, seconds }: Pace,
  report: (person: PresenceOrganization['people'][number]) => Promise<void>,
): Promise<number> {
  const start = performance.now()
  const inProgress = new Set<Promise<void>>()
  let made = 0
  while (performance.now() - start < seconds * 1_000) {
    const due = Math.floor(((performance.now() - start) / 1_000) * perSecond)
    while (made < due && inProgress.size < 200) {
      const person = people[made++ % people.length]
      if (!person) throw new Error('the organization has no people')
      const reporting = report(person).finally(() => inProgress.delete(reporting))
      inProgress.add(reporting)
    }
    await setTimeout(5)
  }
  await Promise.all(inProgress)
  return made
}
