import './Toolbar.css'
import type { PermissionAction } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { isStarred } from '../client/messages/change-flag.ts'
import { askPermission } from '../client/permissions.ts'
import { EmojiButton } from '../composer/EmojiButton.tsx'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { type MessageAction, messageActions } from './message-actions.ts'
import { toggleReaction } from './toggle-reaction.ts'

const { reply, quote, edit, remind, copyLink, copyText, source, history, told } = messageActions
const { markUnread, move, followTopic, muteTopic, remove, react, star } = messageActions

/** The actions in the menu of a message, in groups. */
const menuGroups: readonly (readonly MessageAction[])[] = [
  [reply, quote, edit, remind],
  [copyLink, copyText, source, history],
  [markUnread, move, followTopic, muteTopic, told],
  [remove],
]

/** Buttons for the actions of a message, on the row under the pointer or with the focus. */
export function Toolbar({ message }: { message: WindowMessage }) {
  return (
    <div class="Toolbar" role="toolbar" aria-label={t('message.toolbar')}>
      <EmojiButton
        icon="smile-plus"
        label={react.text()}
        onChoose={({ name, code, url }) =>
          void toggleReaction(message, {
            emoji_name: name,
            emoji_code: code,
            reaction_type: url === undefined ? 'unicode_emoji' : 'realm_emoji',
          })
        }
      />
      <IconButton icon={quote.icon} label={quote.text()} onClick={() => quote.does(message)} />
      {edit.isOffered(message) && (
        <IconButton icon={edit.icon} label={edit.text()} onClick={() => edit.does(message)} />
      )}
      <IconButton
        icon={star.icon}
        label={star.text(message)}
        isPressed={isStarred(message)}
        onClick={() => star.does(message)}
      />
      <ActionMenu message={message} />
    </div>
  )
}

/** The menu of a message's actions. Actions that are not allowed are shown with the reason. */
function ActionMenu({ message }: { message: WindowMessage }) {
  const isOpened = useSignal(false)
  return (
    <Menu
      label={t('message.menu')}
      onOpen={() => {
        isOpened.value = true
      }}
      button={(properties) => <IconButton icon="ellipsis" label={t('message.menu')} {...properties} />}
      items={isOpened.value ? listItems(message) : []}
    />
  )
}

/** Lists the actions of a message. Fetches which of them are allowed. Reads signals. */
function listItems(message: WindowMessage): MenuItem[] {
  const toItem = (
    { text, icon, isDanger, permission, does }: MessageAction,
    startsGroup: boolean,
  ): MenuItem => ({
    text: text(message),
    ...(icon && { icon }),
    ...(isDanger && { isDanger }),
    startsGroup,
    refusal: permission && findRefusal(permission, message),
    onSelect: () => does(message),
  })
  return menuGroups.flatMap((actions, group) =>
    actions
      .filter(({ isOffered }) => isOffered?.(message) ?? true)
      .map((action, index) => toItem(action, group > 0 && index === 0)),
  )
}

function findRefusal(action: PermissionAction, { id }: WindowMessage): string | undefined {
  const answer = askPermission(action, { message_id: id }).value
  return answer && !answer.allowed ? answer.reason : undefined
}
