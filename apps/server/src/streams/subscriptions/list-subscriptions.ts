import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type InPieces, type JsonText, jsonInPieces } from '../../platform/pieces.ts'
import { canListMembers, canSee, toViewer } from '../access.ts'
import { listMembers, type MembersByStream } from '../members/queries.ts'
import { withMembers } from '../members/views.ts'
import { type AccountKey, listRecentTraffic } from '../queries.ts'
import {
  getSubscriber,
  type InheritedSettings,
  listStreamsWithSettings,
  type PersonalSettings,
  type StreamWithSettings,
} from './queries.ts'
import { viewPersonalSettings, viewSubscribedStream, viewUnsubscribedStream } from './views.ts'

type List = typeof api.subscriptions.list

export async function listOwnSubscriptions(
  app: App,
  actor: Actor,
  { include_subscribers }: ParamsOf<List>,
): Promise<InPieces<ResponseOf<List>>> {
  const read = { withMembers: include_subscribers, keepsNullSettings: true, scope: 'own' as const }
  const { subscriptions } = await readSubscriptions(app, app.db, actor, read)
  return { subscriptions }
}

export interface ReadOptions {
  withMembers: boolean
  /**
   * Whether null settings are returned as null. Otherwise they are replaced by the inherited value.
   */
  keepsNullSettings: boolean
  scope: 'all' | 'own'
}

/**
 * Lists the streams that an account sees: subscribed, formerly subscribed and others. Runs three
 * statements, and a fourth one if subscribers are requested.
 */
export async function readSubscriptions(
  { config }: Pick<App, 'config'>,
  db: Db,
  owner: AccountKey,
  { withMembers: isWithMembers, keepsNullSettings, scope }: ReadOptions,
): Promise<Record<'subscriptions' | 'unsubscribed' | 'never_subscribed', JsonText>> {
  const viewer = await getSubscriber(db, owner)
  const streams = (await listStreamsWithSettings(db, owner, scope)).filter((stream) =>
    canSee(stream, toViewer(viewer, stream)),
  )
  const traffic = await listRecentTraffic(db, owner.organization_id)
  const shown = isWithMembers
    ? streams.filter((stream) => canListMembers(stream, toViewer(viewer, stream)))
    : []
  const members: MembersByStream = await listMembers(
    db,
    owner.organization_id,
    shown.map(({ id }) => id),
  )
  const inherited: InheritedSettings | undefined = keepsNullSettings ? undefined : viewer
  const text = (stream: StreamWithSettings): string => {
    const view = viewStreamWithSettings(stream)
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

  function viewStreamWithSettings({ settings, ...stream }: StreamWithSettings): object {
    const messages = traffic.get(stream.id) ?? 0
    if (!settings) return viewUnsubscribedStream(stream, messages)
    return {
      ...viewSubscribedStream(config, stream, messages),
      ...viewPersonalSettings(settings as PersonalSettings, inherited),
    }
  }
}
