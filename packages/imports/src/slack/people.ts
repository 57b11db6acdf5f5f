import type { SourcePerson } from '../model/source.ts'
import type { InactiveReason } from '../report/reasons.ts'
import { field, idOf, isTrue, textOf } from '../values.ts'

/** Converts an entry of `users.json`. `team` is the workspace of most entries. */
export function readPerson(user: unknown, team: string): SourcePerson | undefined {
  const id = idOf(user, 'id')
  if (id === '') return undefined
  const profile = field(user, 'profile')
  const isBot = isTrue(user, 'is_bot') || id === 'USLACKBOT'
  const botId = idOf(profile, 'bot_id')
  const inactive = whyInactive(user, team)
  const picture = textOf(profile, 'image_512') || textOf(profile, 'image_original')
  const hash = textOf(profile, 'avatar_hash')
  return {
    id,
    otherIds: botId === '' ? [] : [botId],
    names: [
      textOf(profile, 'display_name'),
      textOf(profile, 'real_name') || textOf(user, 'real_name'),
      textOf(user, 'name'),
    ],
    email: textOf(profile, 'email'),
    role: readRole(user),
    isBot,
    timezone: /^[A-Za-z_]+\/[A-Za-z_/+-]+$/.test(textOf(user, 'tz')) ? textOf(user, 'tz') : '',
    title: textOf(profile, 'title'),
    phone: textOf(profile, 'phone'),
    pronouns: textOf(profile, 'pronouns'),
    ...(inactive && { inactive }),
    ...(isTrue(profile, 'is_custom_image') &&
      picture !== '' && { picture: { id: `avatar ${id} ${hash}`, name: `${id}.png`, url: picture } }),
  }
}

function readRole(user: unknown): SourcePerson['role'] {
  if (isTrue(user, 'is_primary_owner') || isTrue(user, 'is_owner')) return 'owner'
  if (isTrue(user, 'is_admin')) return 'administrator'
  return isTrue(user, 'is_restricted') || isTrue(user, 'is_ultra_restricted') ? 'guest' : 'member'
}

function whyInactive(user: unknown, team: string): InactiveReason | undefined {
  if (isTrue(user, 'deleted')) return 'deactivated'
  const own = textOf(user, 'team_id')
  const isElsewhere =
    own !== '' && team !== '' && own !== team && field(user, 'enterprise_user') === undefined
  if (isTrue(user, 'is_stranger') || isElsewhere) return 'other_workspace'
  return isTrue(user, 'is_invited_user') ? 'invited' : undefined
}
