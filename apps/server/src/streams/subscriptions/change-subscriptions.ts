import { ApiError, type api, foldName, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { checkStreamName } from '../names.ts'
import { draftStreams } from './create-streams.ts'
import { lockStreamsByName } from './lock-streams-by-name.ts'
import { prepareDescriptions, subscribeInTransaction } from './subscribe.ts'
import { lockDirectoryIfNeeded, unsubscribeInTransaction } from './unsubscribe.ts'

type Change = typeof api.subscriptions.change

/** Subscribes and unsubscribes in one transaction. */
export async function changeSubscriptions(
  app: App,
  actor: Actor,
  params: ParamsOf<Change>,
): Promise<ResponseOf<Change>> {
  if (params.add.length === 0 && params.delete.length === 0) throw new ApiError('NOTHING_TO_ADD_OR_DELETE')
  const drafts = draftStreams(params.add, params)
  const subscribeParams = { ...params, subscriptions: params.add }
  const names = params.delete.map(checkStreamName)
  const render = await prepareDescriptions(app, actor, subscribeParams, drafts)
  return writeAs(app, actor, async (tx) => {
    const isDirectoryHeld = await lockDirectoryIfNeeded(tx, actor, names, params.invite_only)
    // Locks all streams at once in a fixed order to avoid deadlocks.
    await lockStreamsByName(tx, actor, [...drafts.map(({ name }) => name), ...names].map(foldName))
    const joined = await subscribeInTransaction(app, tx, actor, subscribeParams, drafts, render)
    const { principals } = params
    return {
      ...joined,
      ...(await unsubscribeInTransaction(app, tx, actor, { names, principals, isDirectoryHeld })),
    }
  })
}
