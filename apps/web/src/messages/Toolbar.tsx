import './Toolbar.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { quote } from '../actions/quote.ts'
import { toggleReaction } from '../actions/react.ts'
import { isStarred, toggleStar } from '../actions/star.ts'
import { EmojiButton } from '../composer/EmojiButton.tsx'
import { editedMessage } from '../data/editing.ts'
import { ownId } from '../data/store.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { ActionMenu } from './ActionMenu.tsx'

/** Buttons for the actions of a message, on the row under the pointer or with the focus. */
export function Toolbar({ message }: { message: WindowMessage }) {
  const isOwn = message.sender_id === ownId.value
  return (
    <div class="Toolbar" role="toolbar" aria-label={t('message.toolbar')}>
      <EmojiButton
        icon="smile-plus"
        label={t('message.react')}
        onChoose={({ name, code, url }) =>
          void toggleReaction(message, {
            emoji_name: name,
            emoji_code: code,
            reaction_type: url === undefined ? 'unicode_emoji' : 'realm_emoji',
          })
        }
      />
      <IconButton icon="quote" label={t('message.quote')} onClick={() => void quote(message)} />
      {isOwn && (
        <IconButton
          icon="pencil"
          label={t('message.edit')}
          onClick={() => {
            editedMessage.value = message.id
          }}
        />
      )}
      <IconButton
        icon="star"
        label={isStarred(message) ? t('message.unstar') : t('message.star')}
        isPressed={isStarred(message)}
        onClick={() => void toggleStar(message)}
      />
      <ActionMenu message={message} />
    </div>
  )
}
