import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type InPieces, type JsonText, jsonInPieces } from '../../platform/pieces.ts'
import { mayListMembers, maySee, viewerOf } from '../access.ts'
import { listMembers, type MembersByStream } from '../members/queries.ts'
import { withMembers } from '../members/views.ts'
import { listRecentTraffic, type Owner } from '../queries.ts'
import {
  getSubscriber,
  type InheritedSettings,
  listStreamsWithSettings,
  type PersonalSettings,
  type SeenSubscription,
} from './queries.ts'
import { viewPersonalSettings, viewSubscribedStream, viewUnsubscribedStream } from './views.ts'

type List = typeof api.subscriptions.list

export async function listOwnSubscriptions(
  app: App,
  actor: Actor,
  { include_subscribers }: ParamsOf<List>,
): Promise<InPieces<ResponseOf<List>>> {
  const read = { withMembers: include_subscribers, keepsNull: true, which: 'own' as const }
  const { subscriptions } = await readSubscriptions(app, app.db, actor, read)
  return { subscriptions }
}

export interface Reading {
  withMembers: boolean
  /** False: settings that are null are shown as what they stand for. */
  keepsNull: boolean
  which: 'all' | 'own'
}

/** The streams that someone sees: those they are in, those they left, and the others. Three statements and one for members. */
export async function readSubscriptions(
  { config }: Pick<App, 'config'>,
  db: Db,
  owner: Owner,
  { withMembers: isWithMembers, keepsNull, which }: Reading,
): Promise<Record<'subscriptions' | 'unsubscribed' | 'never_subscribed', JsonText>> {
  const viewer = await getSubscriber(db, owner)
  const streams = (await listStreamsWithSettings(db, owner, which)).filter((stream) =>
    maySee(stream, viewerOf(viewer, stream)),
  )
  const traffic = await listRecentTraffic(db, owner.organization_id)
  const shown = isWithMembers
    ? streams.filter((stream) => mayListMembers(stream, viewerOf(viewer, stream)))
    : []
  const members: MembersByStream = await listMembers(
    db,
    owner.organization_id,
    shown.map(({ id }) => id),
  )
  const inherited: InheritedSettings | undefined = keepsNull ? undefined : viewer
  const text = (stream: SeenSubscription): string => {
    const view = viewSeen(stream)
    const list = members.get(stream.id)
    return list === undefined ? JSON.stringify(view) : withMembers(view, list)
  }
  return {
    subscriptions: await jsonInPieces(
      streams.filter(({ membership }) => membership === 'in'),
      text,
    ),
    unsubscribed: await jsonInPieces(
      streams.filter(({ membership }) => membership === 'left'),
      text,
    ),
    never_subscribed: await jsonInPieces(
      streams.filter(({ membership }) => membership === 'never'),
      text,
    ),
  }

  function viewSeen({ settings, ...stream }: SeenSubscription): object {
    const messages = traffic.get(stream.id) ?? 0
    if (!settings) return viewUnsubscribedStream(stream, messages)
    return {
      ...viewSubscribedStream(config, stream, messages),
      ...viewPersonalSettings(settings as PersonalSettings, inherited),
    }
  }
}
