import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockMessageReactions } from '../../platform/database/locks.ts'
import type { AccessedMessage } from '../access.ts'
import { checkEmoji, lookUpName } from './emoji.ts'
import { tellReaction } from './events.ts'
import { holdMessage, whoHearsReactions } from './hold-message.ts'
import { readLegacyNames } from './legacy-names.ts'
import { type Code, insertHistoricalNote, insertReaction, keepChosenName, type Reacted } from './queries.ts'

type Given = ParamsOf<typeof api.messages.addReaction>

export async function addReaction(app: App, actor: Actor, asGiven: Given): Promise<object> {
  const given = actor.legacyNames ? readLegacyNames(asGiven) : asGiven
  return writeAs(app, actor, async (tx) => {
    const { message_id } = given
    const message = await holdMessage(tx, actor, message_id)
    const reacted = await nameEmoji(tx, actor, message, await readEmoji(tx, actor, given))
    if (!(await insertReaction(tx, actor, message_id, reacted))) throw new ApiError('REACTION_EXISTS')
    if (!message.own) await insertHistoricalNote(tx, actor, message_id)
    const hearings = await whoHearsReactions(tx, actor, message)
    await tellReaction(app, tx, actor, { op: 'add', message_id, reacted, hearings })
    return {}
  })
}

type Named = Code & { emoji_name: string }

/** The name is looked up only where it must tell something. */
async function readEmoji(
  tx: Tx,
  actor: Actor,
  { emoji_name, emoji_code, reaction_type }: Given,
): Promise<Named> {
  if (emoji_code !== undefined && reaction_type !== undefined)
    return { emoji_name, emoji_code, reaction_type }
  const found = await lookUpName(tx, actor, emoji_name)
  return {
    emoji_name,
    emoji_code: emoji_code ?? found.emoji_code,
    reaction_type: reaction_type ?? found.reaction_type,
  }
}

/** What others called it counts, whatever it is called now. Only whoever is the first must call it by one of its names. */
async function nameEmoji(tx: Tx, actor: Actor, { id }: AccessedMessage, given: Named): Promise<Reacted> {
  const chosen = await keepChosenName(tx, actor, id, given)
  if (chosen !== undefined) return { ...(given as Reacted), emoji_name: chosen }
  const checked = await checkEmoji(tx, actor, given)
  // Two who are the first at the same time must not choose two names.
  await lockMessageReactions(tx, id)
  return { ...checked, emoji_name: (await keepChosenName(tx, actor, id, given)) ?? checked.emoji_name }
}
