import type { StreamId } from '@oxbow/contract'
import { awaitOrShowRefusal } from '../client/act.ts'
import { unreadByStream } from '../client/conversations/unread.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { writeHash } from '../client/route/hash.ts'
import { route } from '../client/route/router.ts'
import { findSection, streamSections } from '../client/streams/sections.ts'
import { canJoin } from '../client/streams/stream-directory.ts'
import { type KnownStream, streamsById } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { askToLeave } from './ask-to-leave.ts'
import { changeArrangement } from './change-arrangement.ts'
import { changeStreamSetting } from './change-stream-setting.ts'
import { markStreamRead } from './mark-stream-read.ts'
import { detailsHash, streamHash } from './stream-routes.ts'
import { joinStream } from './subscribe.ts'

export interface StreamMenuProps {
  stream: KnownStream
  /** A class of the button. */
  look?: string
}

/** The menu of a stream, in the header of its views and in the nav. */
export function StreamMenu({ stream, look }: StreamMenuProps) {
  return (
    <Menu
      label={t('streams.menu', { stream: stream.name })}
      items={itemsFor(stream)}
      button={(properties) => (
        <IconButton
          icon="ellipsis"
          label={t('streams.menu', { stream: stream.name })}
          {...(look && { class: look })}
          {...properties}
        />
      )}
    />
  )
}

function itemsFor(stream: KnownStream): MenuItem[] {
  const { stream_id, name } = stream
  const own = streamsById.value.get(stream_id)
  const topics = writeHash({ view: 'topics', stream: { stream_id, name } })
  const copyLink = () =>
    awaitOrShowRefusal(navigator.clipboard.writeText(`${location.origin}/${streamHash(stream)}`))
  const isAtMessages = route.value.view === 'narrow'
  return [
    ...(isAtMessages
      ? []
      : [{ text: t('messages.list'), icon: 'message-square' as const, href: streamHash(stream) }]),
    { text: t('streams.details'), icon: 'info', href: detailsHash(stream) },
    { text: t('nav.all_topics'), icon: 'list', href: topics },
    { text: t('message.copy_link'), icon: 'link', onSelect: () => void copyLink() },
    ...(own ? ownItems(own) : []),
    ...(!own && canJoin(stream)
      ? [
          {
            text: t('streams.join'),
            icon: 'plus' as const,
            startsGroup: true,
            onSelect: () => void joinStream(stream),
          },
        ]
      : []),
  ]
}

function ownItems(own: NonNullable<ReturnType<typeof streamsById.value.get>>): MenuItem[] {
  const { stream_id, is_muted, pin_to_top } = own
  const hasUnread = (unreadByStream.value.get(stream_id)?.topics.length ?? 0) > 0
  return [
    {
      text: t('streams.mark_read'),
      icon: 'check-check',
      startsGroup: true,
      refusal: hasUnread ? undefined : t('inbox.empty'),
      onSelect: () => void markStreamRead(stream_id),
    },
    {
      text: is_muted ? t('streams.unmute') : t('streams.mute'),
      icon: is_muted ? 'bell' : 'bell-off',
      onSelect: () => void changeStreamSetting(own, 'is_muted', !is_muted),
    },
    {
      text: pin_to_top ? t('streams.unpin') : t('streams.pin'),
      icon: 'pin',
      onSelect: () => void changeStreamSetting(own, 'pin_to_top', !pin_to_top),
    },
    ...placeItems(stream_id),
    {
      text: t('streams.leave'),
      icon: 'log-out',
      startsGroup: true,
      isDanger: true,
      onSelect: () => askToLeave(own),
    },
  ]
}

/** Changes of the place of the stream in the own list. */
function placeItems(stream_id: StreamId): MenuItem[] {
  const { streams = [] } = findSection(streamSections.value, stream_id) ?? {}
  return [
    {
      text: t('nav.to_folder'),
      icon: 'folder-input',
      startsGroup: true,
      onSelect: () => showDialog({ kind: 'folder', stream_id }),
    },
    {
      text: t('nav.move_up'),
      icon: 'arrow-up',
      refusal: streams[0]?.stream_id === stream_id ? t('nav.is_first') : undefined,
      onSelect: () => void changeArrangement(({ moveStream }) => moveStream(stream_id, -1)),
    },
    {
      text: t('nav.move_down'),
      icon: 'arrow-down',
      refusal: streams.at(-1)?.stream_id === stream_id ? t('nav.is_last') : undefined,
      onSelect: () => void changeArrangement(({ moveStream }) => moveStream(stream_id, 1)),
    },
  ]
}
