import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { checkStreamName, foldName } from '../names.ts'
import { draftStreams } from './create-streams.ts'
import { holdNamedStreams } from './hold-named-streams.ts'
import { subscribeIn } from './subscribe.ts'
import { holdDirectoryIfNeeded, unsubscribeIn } from './unsubscribe.ts'

type Change = typeof api.subscriptions.change

/** In and out in one transaction. */
export async function changeSubscriptions(
  app: App,
  actor: Actor,
  given: ParamsOf<Change>,
): Promise<ResponseOf<Change>> {
  if (given.add.length === 0 && given.delete.length === 0) throw new ApiError('NOTHING_TO_ADD_OR_DELETE')
  const drafts = await draftStreams(app, given.add, given)
  const names = given.delete.map(checkStreamName)
  return writeAs(app, actor, async (tx) => {
    const isDirectoryHeld = await holdDirectoryIfNeeded(tx, actor, names, given.invite_only)
    // All at once and in order, or two who change places would wait for each other.
    await holdNamedStreams(tx, actor, [...drafts.map(({ name }) => name), ...names].map(foldName))
    const joined = await subscribeIn(app, tx, actor, { ...given, subscriptions: given.add }, drafts)
    const { principals } = given
    return { ...joined, ...(await unsubscribeIn(app, tx, actor, { names, principals, isDirectoryHeld })) }
  })
}
