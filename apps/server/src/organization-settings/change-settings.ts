import type { api, ResponseOf, StreamId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { recheckActor, writeAs } from '../identity/write-as.ts'
import { lockOrganization, updateOrganization } from '../organization/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { lockStreamsShared } from '../platform/database/locks.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { accessStream } from '../streams/access.ts'
import { listStreamsById } from '../streams/queries.ts'
import { tellEmailVisibility } from '../users/tell-email-visibility.ts'
import { settingsChanged, type ToldChange, toldChanges } from './events.ts'
import { isNone, type Params, readChanges, refuseUnfit } from './read-changes.ts'

type Answer = ResponseOf<typeof api.organization.update>

/** Everything is checked before anything is changed. */
export async function changeSettings(app: App, actor: Actor, given: Params): Promise<Answer> {
  refuseUnfit(actor, given)
  // Whatever tells an address holds the roles: with them held alone, all of it comes either before or after the change.
  const roles = given.email_address_visibility === undefined ? 'shared' : 'exclusive'
  return writeAs(app, actor, (tx) => change(app, tx, actor, given), { roles })
}

async function change(app: App, tx: Tx, actor: Actor, given: Params): Promise<Answer> {
  const { organization_id } = actor
  const named = noticeStreams(given)
  const existing = await listStreamsById(tx, actor, named)
  // Before the row, as whoever archives a stream has it, and lets the organization forget it.
  await lockStreamsShared(
    tx,
    existing.map(({ id }) => id),
  )
  const before = await lockOrganization(tx, organization_id)
  await recheckActor(tx, actor)
  const changes = readChanges(app, before, given)
  for (const id of named) if (isNews(before, given, id)) await accessStream(tx, actor, id)
  const after = { ...before, ...changes } as OrganizationRow
  if (Object.keys(changes).length > 0) await updateOrganization(tx, organization_id, changes)

  const told = toldChanges(app.config, after, changes)
  for (const each of told) emit(tx, settingsChanged(organization_id, each))
  await tellEmailVisibility(app, tx, before, after.email_address_visibility)
  return answerOf(given, after, told)
}

const noticeSettings = ['notifications_stream_id', 'signup_notifications_stream_id'] as const

function noticeStreams(given: Params): StreamId[] {
  return noticeSettings.flatMap((name) => {
    const id = given[name]
    return id === undefined || isNone(id) ? [] : [id]
  })
}

/** What is set already may stay, also where whoever asks for it cannot see it. */
const isNews = (before: OrganizationRow, given: Params, id: StreamId): boolean =>
  noticeSettings.some((name) => given[name] === id && before[name] !== id)

function answerOf(given: Params, after: OrganizationRow, told: readonly ToldChange[]): Answer {
  const values = Object.assign({}, ...told.map((each) => each.values)) as Record<string, unknown>
  const answer = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? 'updated' : value,
  ])
  const { default_code_block_language } = after
  return {
    ...Object.fromEntries(answer),
    // In its own words, and whether or not it is another.
    ...(given.default_code_block_language !== undefined && { default_code_block_language }),
  }
}
