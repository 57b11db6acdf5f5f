import type { StreamId } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import { topicLinker } from '../../linkifiers/link-topics.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockStreamsShared } from '../../platform/database/locks.ts'
import { BeginAgain } from '../../platform/database/transaction.ts'
import { listStreamsById } from '../../streams/queries.ts'
import { type AccessedMessage, accessMessageToChange, lockMessage } from '../access.ts'
import { getEmoticonSetting } from '../content/queries.ts'
import { type RenderedContent, renderContent } from '../content/render-content.ts'
import { lockStreamsExclusively } from '../lock-streams.ts'
import { applyEdit, type Decided } from './apply-edit.ts'
import { checkEdit, type Edit, type Given, refuseBeforehand } from './check-edit.ts'
import { checkMove } from './check-move.ts'

/** Decided once without holding anything, to know what to hold, and once more when that is held. */
export async function editMessage(app: App, actor: Actor, given: Given): Promise<object> {
  const rendered = given.content === undefined ? undefined : await renderEdited(app, actor, given)
  const linkTopic = await topicLinker(app, actor.organization_id)
  return writeAs(app, actor, async (tx) => {
    const seen = await accessAndCheck(tx, actor, given, accessMessageToChange)
    const before = await decide(tx, actor, seen.message, seen.edit)
    await holdPlaces(tx, actor, before)
    const { message, edit } = await accessAndCheck(tx, actor, given, lockMessage)
    if (message.recipient_id !== seen.message.recipient_id)
      throw new BeginAgain('the message was moved meanwhile')
    const decided = await decide(tx, actor, message, edit)
    await applyEdit(tx, actor.user_id, { ...decided, linkTopic }, rendered)
    return {}
  })
}

interface Checked {
  message: AccessedMessage
  edit: Edit
}

async function accessAndCheck<Reading extends Db>(
  db: Reading,
  actor: Actor,
  given: Given,
  access: (db: Reading, reader: Actor, id: Given['message_id']) => Promise<AccessedMessage>,
): Promise<Checked> {
  const rules = await getOrganization(db, actor.organization_id)
  refuseBeforehand(rules, given)
  const message = await access(db, actor, given.message_id)
  return { message, edit: checkEdit(rules, actor, message, given) }
}

/** Before anything is held, because it may take a while. */
async function renderEdited(app: App, actor: Actor, given: Given): Promise<RenderedContent> {
  const { edit } = await accessAndCheck(app.db, actor, given, accessMessageToChange)
  const organization = await getOrganization(app.db, actor.organization_id)
  return renderContent(app, actor, edit.content ?? '', {
    ...organization,
    origin: actor.origin,
    translate_emoticons: await getEmoticonSetting(app.db, actor),
  })
}

type Places = Omit<Decided, 'linkTopic'>

async function decide(db: Db, actor: Actor, message: AccessedMessage, edit: Edit): Promise<Places> {
  const { is_private, recipient_id } = message
  const place = recipient_id as StreamId
  const ids = [...(is_private ? [] : [place]), ...(edit.stream_id === undefined ? [] : [edit.stream_id])]
  const streams = new Map((await listStreamsById(db, actor, ids)).map((stream) => [stream.id, stream]))
  const from = is_private ? undefined : streams.get(place)
  const to = checkMove(actor, edit, from, streams)
  return { message, edit, ...(from && { from }), ...(to && { to }) }
}

/** Whoever changes many messages holds the stream alone: two of them would wait for each other in the middle. */
async function holdPlaces(tx: Tx, actor: Actor, { edit, from, to }: Places): Promise<void> {
  if (!from) return
  if (to) await lockStreamsExclusively(tx, actor, [from.id, to.id])
  else if (edit.propagate_mode === 'change_one') await lockStreamsShared(tx, [from.id])
  else await lockStreamsExclusively(tx, actor, [from.id])
}
