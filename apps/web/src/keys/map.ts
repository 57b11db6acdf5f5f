import { signOut } from '../client/account/sign-out.ts'
import { changeAway, getOwnStatus } from '../client/account/status.ts'
import { markAllRead, markConversationRead } from '../client/messages/mark-read.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { filterRoute, findConversation, helpPath, type Route } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { openSearch } from '../client/route/search.ts'
import { editLastOwn } from '../composer/edit-last.ts'
import { focusComposer } from '../composer/focus.ts'
import { hasSide, isSideOpen, toggleSide } from '../frame/panes.ts'
import { t } from '../text/t.ts'
import type { IconName } from '../ui/icon-names.generated.ts'
import { goToNextPrivate, goToNextUnread, goToPreviousUnread, goToStream } from './go-to.ts'

/** A command that is available in every view: in the jump dialog, and usually also by a key. */
export interface Command {
  readonly id: string
  readonly icon: IconName
  /** Returns the translated name. */
  text(): string
  /**
   * The key, named as by `nameKey`. It works while no field has the focus; with Mod, in fields too.
   * `g d` is `d` after `g`.
   */
  readonly key?: string
  /** Keys that another module handles, for display only. */
  readonly shownKeys?: string
  /** The view that the command opens, or the function that it runs. */
  readonly does: Route | (() => void)
  /** Returns whether the command is available. Reads signals. */
  isOffered?(): boolean
}

/** All commands, in the order of the jump dialog. */
export const commands: readonly Command[] = [
  {
    id: 'write',
    icon: 'square-pen',
    text: () => t('command.write_stream'),
    key: 'c',
    does: () => showDialog({ kind: 'new message', to: 'stream' }),
  },
  {
    id: 'write-private',
    icon: 'message-square-plus',
    text: () => t('command.write_private'),
    key: 'x',
    does: () => showDialog({ kind: 'new message', to: 'private' }),
  },
  {
    id: 'search',
    icon: 'search',
    text: () => t('command.search'),
    key: '/',
    does: () => openSearch(),
  },
  {
    id: 'next-unread',
    icon: 'arrow-down',
    text: () => t('command.next_unread'),
    key: 'n',
    does: goToNextUnread,
  },
  {
    id: 'next-private',
    icon: 'arrow-down',
    text: () => t('command.next_private'),
    key: 'p',
    does: goToNextPrivate,
  },
  {
    id: 'previous-unread',
    icon: 'arrow-left',
    text: () => t('command.previous_unread'),
    key: 'N',
    does: goToPreviousUnread,
  },
  { id: 'inbox', icon: 'inbox', text: () => t('nav.inbox'), key: 'I', does: { view: 'inbox' } },
  {
    id: 'mentions',
    icon: 'at-sign',
    text: () => t('nav.mentions'),
    does: filterRoute('is', 'mentioned'),
  },
  {
    id: 'followed',
    icon: 'bell-ring',
    text: () => t('command.followed'),
    key: 'f',
    does: filterRoute('is', 'followed'),
  },
  { id: 'recent', icon: 'clock', text: () => t('inbox.recent'), key: 't', does: { view: 'recent' } },
  {
    id: 'starred',
    icon: 'star',
    text: () => t('command.starred'),
    key: '*',
    does: filterRoute('is', 'starred'),
  },
  { id: 'drafts', icon: 'pencil', text: () => t('nav.drafts'), key: 'd', does: { view: 'drafts' } },
  { id: 'scheduled', icon: 'calendar', text: () => t('command.scheduled'), does: { view: 'scheduled' } },
  {
    id: 'all',
    icon: 'messages-square',
    text: () => t('nav.all_messages'),
    key: 'a',
    does: filterRoute('in', 'home'),
  },
  {
    id: 'all-private',
    icon: 'message-square',
    text: () => t('nav.all_private'),
    key: 'P',
    does: filterRoute('is', 'private'),
  },
  {
    id: 'alerts',
    icon: 'bell',
    text: () => t('command.alerts'),
    does: filterRoute('is', 'alerted'),
  },
  {
    id: 'streams',
    icon: 'hash',
    text: () => t('nav.browse'),
    does: { view: 'streams', page: 'all' },
  },
  { id: 'new-stream', icon: 'plus', text: () => t('streams.new'), does: { view: 'streams', page: 'new' } },
  { id: 'people', icon: 'users', text: () => t('people.title'), key: 'w', does: { view: 'people' } },
  {
    id: 'mark-read',
    icon: 'check-check',
    text: () => t('command.mark_read'),
    key: 'Shift+End',
    does: () => {
      const open = findConversation(route.peek())
      if (open) void markConversationRead(open)
    },
    isOffered: () => findConversation(route.value) !== undefined,
  },
  {
    id: 'mark-all-read',
    icon: 'check-check',
    text: () => t('command.mark_all_read'),
    key: 'Mod+Shift+.',
    does: () => void markAllRead(),
  },
  {
    id: 'next-stream',
    icon: 'arrow-down',
    text: () => t('command.next_stream'),
    key: 'D',
    does: () => goToStream(1),
  },
  {
    id: 'previous-stream',
    icon: 'arrow-left',
    text: () => t('command.previous_stream'),
    key: 'A',
    does: () => goToStream(-1),
  },
  {
    id: 'go-to-date',
    icon: 'calendar',
    text: () => t('conversation.go_to_date'),
    key: 'g d',
    does: () => showDialog({ kind: 'date' }),
    isOffered: () => findConversation(route.value) !== undefined,
  },
  {
    id: 'to-composer',
    icon: 'pencil',
    text: () => t('command.to_composer'),
    key: 'Mod+.',
    does: focusComposer,
    isOffered: () => findConversation(route.value) !== undefined,
  },
  {
    id: 'edit-last',
    icon: 'pencil',
    text: () => t('command.edit_last'),
    key: 'ArrowLeft',
    does: editLastOwn,
    isOffered: () => findConversation(route.value) !== undefined,
  },
  {
    id: 'keys',
    icon: 'keyboard',
    text: () => t('keys.title'),
    key: '?',
    does: () => showDialog({ kind: 'keys' }),
  },
  {
    id: 'help',
    icon: 'circle-question-mark',
    text: () => t('menu.help'),
    does: () => {
      open(helpPath, '_blank', 'noopener')
    },
  },
  {
    id: 'side',
    icon: 'panel-right',
    text: () => t(isSideOpen.value ? 'header.side_close' : 'header.side_open'),
    shownKeys: 'Mod+Shift+\\',
    does: toggleSide,
    isOffered: () => hasSide.value,
  },
  {
    id: 'status',
    icon: 'smile',
    text: () => t('menu.status'),
    does: () => showDialog({ kind: 'status' }),
  },
  {
    id: 'away',
    icon: 'eye-off',
    text: () => t(getOwnStatus().isAway ? 'menu.back' : 'menu.away'),
    does: () => void changeAway(!getOwnStatus().isAway),
  },
  { id: 'sign-out', icon: 'log-out', text: () => t('menu.sign_out'), does: () => void signOut() },
]
