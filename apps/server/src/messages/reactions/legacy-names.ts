/** Clients of the older product call the emoji that comes with the service, and where it comes from, by its name. */
const legacyType = 'zulip_extra_emoji'
const legacyName = 'zulip'

interface Named {
  emoji_name?: string | undefined
  emoji_code?: string | undefined
  reaction_type?: string | undefined
}

/** What such a client means. */
export function readLegacyNames<Given extends Named>(given: Given): Given {
  if (given.reaction_type !== legacyType) return given
  const read = (name: string | undefined) => (name === legacyName ? 'chat' : name)
  return {
    ...given,
    reaction_type: 'chat_extra_emoji',
    emoji_name: read(given.emoji_name),
    emoji_code: read(given.emoji_code),
  }
}

/** The type as such a client knows it. */
export const toLegacyType = <Type extends string>(type: Type): Type | typeof legacyType =>
  type === 'chat_extra_emoji' ? legacyType : type
