import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lookUpName } from './emoji.ts'
import { tellReaction } from './events.ts'
import { holdMessage, whoHearsReactions } from './hold-message.ts'
import { readLegacyNames } from './legacy-names.ts'
import { type Code, deleteReaction } from './queries.ts'

type Given = ParamsOf<typeof api.messages.removeReaction>

export async function removeReaction(app: App, actor: Actor, asGiven: Given): Promise<object> {
  const given = actor.legacyNames ? readLegacyNames(asGiven) : asGiven
  return writeAs(app, actor, async (tx) => {
    const { message_id } = given
    const message = await holdMessage(tx, actor, message_id)
    const code = await readCode(tx, actor, given)
    const hearings = await whoHearsReactions(tx, actor, message)
    const reacted = await deleteReaction(tx, actor, message_id, code)
    if (!reacted) throw new ApiError('REACTION_DOES_NOT_EXIST')
    await tellReaction(app, tx, actor, { op: 'remove', message_id, reacted, hearings })
    return {}
  })
}

/** A name tells the code; that it might tell the type too is not what clients expect. */
async function readCode(
  tx: Tx,
  actor: Actor,
  { emoji_name, emoji_code, reaction_type }: Given,
): Promise<Code> {
  if (emoji_code !== undefined) return { emoji_code, reaction_type }
  if (emoji_name === undefined) throw new ApiError('EMOJI_NOT_NAMED')
  return { emoji_code: (await lookUpName(tx, actor, emoji_name)).emoji_code, reaction_type }
}
