import type { StreamId } from '@oxbow/contract'
import { isTopicFollowed, isTopicMuted, streamsById } from '../client/streams/streams.ts'
import { toggleFollow, toggleTopicMute } from '../client/streams/topic-attention.ts'
import { t } from '../text/t.ts'
import type { MenuItem } from '../ui/Menu.tsx'

/** Returns the items of a topic's menu that follow and mute it. Reads signals. */
export function listAttentionItems(stream_id: StreamId, topic: string): MenuItem[] {
  const isFollowed = isTopicFollowed(stream_id, topic)
  const follow: MenuItem = {
    text: t(isFollowed ? 'topic.unfollow' : 'topic.follow'),
    icon: 'bell-plus',
    onSelect: () => void toggleFollow(stream_id, topic),
  }
  if (!streamsById.value.has(stream_id)) return [follow]
  const isMuted = isTopicMuted(stream_id, topic)
  return [
    follow,
    {
      text: t(isMuted ? 'message.unmute_topic' : 'message.mute_topic'),
      icon: isMuted ? 'bell' : 'bell-off',
      onSelect: () => void toggleTopicMute(stream_id, topic),
    },
  ]
}
