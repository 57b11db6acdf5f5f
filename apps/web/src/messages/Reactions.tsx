import './Reactions.css'
import type { UserId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { formatList } from '../client/formats/dates.ts'
import { nameOf } from '../client/people/names.ts'
import { customEmoji, emojiSet, ownId } from '../client/store.ts'
import { emojiGlyph } from '../message-text/emoji-glyph.ts'
import { t } from '../text/t.ts'
import { toggleReaction } from './toggle-reaction.ts'

/** The reactions to a message: a pill per emoji, in the order of their first use. */
export function Reactions({ message }: { message: WindowMessage }) {
  return (
    <ul class="Reactions" aria-label={t('message.reactions')}>
      {groupReactions(message.reactions).map((group) => (
        <li key={group.key}>
          <Pill group={group} message={message} />
        </li>
      ))}
    </ul>
  )
}

/** Maximum number of names that are listed; further people are only counted. */
const maxNames = 10

function Pill({ group, message }: { group: ReactionGroup; message: WindowMessage }) {
  const { reaction, user_ids } = group
  const isOwn = user_ids.some((user_id) => user_id === ownId.value)
  const names = user_ids.slice(0, maxNames).map(nameOf)
  const others = user_ids.length - names.length
  const label = t('message.reacted', {
    emoji: reaction.emoji_name.replaceAll('_', ' '),
    names: formatList([...names, ...(others > 0 ? [t('message.others', { count: others })] : [])]),
  })
  return (
    <button
      type="button"
      class="Reactions-pill"
      data-own={isOwn || undefined}
      aria-pressed={isOwn}
      title={label}
      tabIndex={-1}
      onClick={() => void toggleReaction(message, reaction)}
    >
      <span class="Reactions-emoji" aria-hidden="true">
        <Glyph reaction={reaction} />
      </span>
      <span class="Reactions-count" aria-hidden="true">
        {user_ids.length}
      </span>
      <span class="Spoken">{label}</span>
    </button>
  )
}

function Glyph({ reaction }: { reaction: WindowReaction }) {
  const { reaction_type, emoji_code, emoji_name } = reaction
  const isUnicode = reaction_type === 'unicode_emoji'
  if (emojiSet.value === 'text') return <span>{`:${emoji_name}:`}</span>
  const source = isUnicode ? undefined : customEmoji.value?.[emoji_code]?.source_url
  if (source) return <img src={source} alt="" />
  return <span>{(isUnicode && emojiGlyph(emoji_code)) || `:${emoji_name}:`}</span>
}

type WindowReaction = WindowMessage['reactions'][number]

interface ReactionGroup {
  readonly key: string
  readonly reaction: WindowReaction
  /** Ids of the people who reacted, oldest reaction first. */
  readonly user_ids: readonly UserId[]
}

/** Groups reactions by emoji. The groups are in the order in which each emoji was first used. */
function groupReactions(reactions: readonly WindowReaction[]): ReactionGroup[] {
  const groups = Map.groupBy(reactions, ({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`)
  return [...groups].flatMap(([key, list]) => {
    const [reaction] = list
    return reaction ? [{ key, reaction, user_ids: list.map(({ user_id }) => user_id) }] : []
  })
}
