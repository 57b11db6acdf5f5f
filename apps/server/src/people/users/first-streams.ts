import type { OrganizationId } from '@oxbow/contract'
import { updateOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { insertDefaultStream } from '../../streams/defaults/queries.ts'
import { addSubscriptions } from '../../streams/subscriptions/add-subscriptions.ts'
import {
  createStreams,
  draftStreams,
  makeDescriptionRenderer,
} from '../../streams/subscriptions/create-streams.ts'
import { getSubscriber } from '../../streams/subscriptions/queries.ts'

const settings = {
  authorization_errors_fatal: true,
  announce: false,
  history_public_to_subscribers: null,
  message_retention_days: 'realm_default',
  stream_post_policy: 1,
} as const

const drafts = [
  ...draftStreams([{ name: 'general', description: 'For everyone; new people are in it from the start.' }], {
    ...settings,
    invite_only: false,
  }),
  ...draftStreams([{ name: 'core team', description: 'For those who look after this organization.' }], {
    ...settings,
    invite_only: true,
  }),
]

export interface FirstStreams {
  organization: OrganizationRow
  team: StreamRow | undefined
}

/**
 * Creates the first streams of an organization that has no users yet: `general`, a default stream
 * that gets notices about streams, and a private stream for the team, which gets notices about
 * sign-ups.
 */
export async function createFirstStreams(
  app: App,
  tx: Tx,
  organization: OrganizationRow,
): Promise<FirstStreams> {
  const render = makeDescriptionRenderer(app)
  const [general, team] = await createStreams(tx, { organization_id: organization.id }, drafts, render)
  if (!general || !team) return { organization, team: undefined }
  await insertDefaultStream(tx, general)
  const changes = { notifications_stream_id: general.id, signup_notifications_stream_id: team.id }
  await updateOrganization(tx, organization.id, changes)
  return { organization: { ...organization, ...changes }, team }
}

/** Subscribes the first owner to the private stream of the team. */
export async function subscribeToTeam(
  { config }: App,
  tx: Tx,
  { organization_id, id }: Pick<UserRow, 'id'> & { organization_id: OrganizationId },
  team: StreamRow,
): Promise<void> {
  const subscriber = await getSubscriber(tx, { organization_id, user_id: id })
  await addSubscriptions(config, tx, { organization_id, streams: [team], subscribers: [subscriber] })
}
