import type { Reaction } from '@oxbow/contract'
import { type AccountWithEmail, displayEmail } from '../../accounts/display-email.ts'
import type { Config } from '../../platform/config/settings.ts'
import { toLegacyType } from './legacy-names.ts'
import type { ReactionWithUser } from './queries.ts'

export function viewReaction(
  config: Config,
  { email_address_visibility }: Pick<AccountWithEmail, 'email_address_visibility'>,
  legacyNames: boolean,
  reaction: ReactionWithUser,
): Reaction {
  const { user_id, full_name, delivery_email, bot_type, reaction_type } = reaction
  const email = displayEmail(config, { id: user_id, delivery_email, bot_type, email_address_visibility })
  return {
    emoji_name: reaction.emoji_name,
    emoji_code: reaction.emoji_code,
    reaction_type: legacyNames ? toLegacyType(reaction_type) : reaction_type,
    user_id,
    user: { id: user_id, email, full_name },
  }
}
