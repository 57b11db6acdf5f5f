import './Reactions.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { toggleReaction } from '../actions/react.ts'
import { nameOf } from '../data/names.ts'
import { customEmoji, emojiSet, ownId } from '../data/store.ts'
import { formatList } from '../text/dates.ts'
import { t } from '../text/t.ts'
import { emojiGlyph } from './emoji-glyph.ts'
import { groupReactions, type ReactionGroup, type WindowReaction } from './group-reactions.ts'

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
