/**
 * Legacy clients use the older product's names for the server's own emoji and its reaction type.
 */
const legacyType = 'zulip_extra_emoji'
const legacyName = 'zulip'

interface EmojiParams {
  emoji_name?: string | undefined
  emoji_code?: string | undefined
  reaction_type?: string | undefined
}

/** Translates the parameters of a legacy client to the current names. */
export function fromLegacyNames<Given extends EmojiParams>(params: Given): Given {
  if (params.reaction_type !== legacyType) return params
  const read = (name: string | undefined) => (name === legacyName ? 'chat' : name)
  return {
    ...params,
    reaction_type: 'chat_extra_emoji',
    emoji_name: read(params.emoji_name),
    emoji_code: read(params.emoji_code),
  }
}

/** Translates a reaction type for a legacy client. */
export const toLegacyType = <Type extends string>(type: Type): Type | typeof legacyType =>
  type === 'chat_extra_emoji' ? legacyType : type
