import { ApiError, type api, type ParamsOf, type ResponseOf, type UserId } from '@oxbow/contract'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { enqueueNotices } from '../notices.ts'
import { listStreamsByName } from '../queries.ts'
import { addSubscriptions } from './add-subscriptions.ts'
import { checkSubscribe, getRequestedName, isForOthers, type SubscribeParams } from './check-subscribe.ts'
import {
  createStreams,
  draftStreams,
  makeDescriptionRenderer,
  matchDrafts,
  type RenderDescription,
  type StreamDraft,
} from './create-streams.ts'
import { refuseLongDescriptions, refuseTooManyStreams } from './limits.ts'
import { lockStreamsByName } from './lock-streams-by-name.ts'
import { buildNotices } from './notices.ts'
import type { Subscriber } from './queries.ts'

type Subscribe = typeof api.subscriptions.subscribe
type SubscribeResponse = ResponseOf<Subscribe>

export async function subscribe(
  app: App,
  actor: Actor,
  params: ParamsOf<Subscribe>,
): Promise<SubscribeResponse> {
  const drafts = draftStreams(params.subscriptions, params)
  const render = await prepareDescriptions(app, actor, params, drafts)
  return writeAs(app, actor, (tx) => subscribeInTransaction(app, tx, actor, params, drafts, render))
}

/**
 * Renders the descriptions of the streams that the request will probably create. This is slow, so it
 * is done before the transaction takes locks, and not at all if the request will probably be refused.
 */
export async function prepareDescriptions(
  app: App,
  actor: Actor,
  params: SubscribeParams,
  drafts: readonly StreamDraft[],
): Promise<RenderDescription> {
  const render = makeDescriptionRenderer(app)
  if (drafts.every(({ description }) => description === '')) return render
  const matched = matchDrafts(await listStreamsByName(app.db, actor, drafts.map(getFoldedName)), drafts)
  try {
    await checkSubscribe(app, app.db, actor, params, drafts, matched)
  } catch (error) {
    // The transaction decides, because the actor's role may be outdated here.
    if (error instanceof ApiError) return render
    throw error
  }
  for (const { description } of matched.missing) await render(description)
  return render
}

/**
 * Subscribes users within a transaction. Performs all checks before it creates or changes anything.
 */
export async function subscribeInTransaction(
  app: App,
  tx: Tx,
  actor: Actor,
  params: SubscribeParams,
  drafts: readonly StreamDraft[],
  renderDescription: RenderDescription,
): Promise<SubscribeResponse> {
  const { organization_id } = actor
  const matched = matchDrafts(await lockStreamsByName(tx, actor, drafts.map(getFoldedName)), drafts)
  const checked = await checkSubscribe(app, tx, actor, params, drafts, matched)
  const { organization, caller, open, closed, subscribers } = checked
  await refuseTooManyStreams(app, tx, actor, matched.missing.length)

  const created = await createStreams(tx, actor, matched.missing, renderDescription)
  if (created.some(({ description }) => description !== '')) await refuseLongDescriptions(app, tx, actor)
  const streams = [...open, ...created]
  const colors = new Map(params.subscriptions.flatMap(({ name, color }) => (color ? [[name, color]] : [])))
  const done = await addSubscriptions(app.config, tx, { organization_id, streams, subscribers, colors })
  const notices = buildNotices({
    caller,
    organization,
    subscribers: isForOthers(params) ? subscribers : [],
    added: done.added,
    created,
    isAnnounced: params.announce,
  })
  await enqueueNotices(tx, organization_id, caller, notices)

  const emails = new Map(
    subscribers.map((subscriber) => [subscriber.id, displayEmail(app.config, subscriber)]),
  )
  return {
    subscribed: listNamesByEmail(emails, done.added),
    already_subscribed: listNamesByEmail(emails, done.already),
    ...(!params.authorization_errors_fatal && {
      unauthorized: closed.map((stream) => getRequestedName(drafts, stream)),
    }),
  }
}

const getFoldedName = ({ folded_name }: StreamDraft): string => folded_name

function listNamesByEmail(
  emails: ReadonlyMap<Subscriber['id'], string>,
  streams: ReadonlyMap<UserId, StreamRow[]>,
): Record<string, string[]> {
  const entries = [...streams].map(([id, list]) => [emails.get(id), list.map(({ name }) => name)])
  return Object.fromEntries(entries)
}
