import { compareCodePoints } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import { JsonText, jsonInPieces } from '../../platform/pieces.ts'
import type { Reader } from '../visibility.ts'
import { listUnreadGroups, type UnreadGroup } from './unread-groups.ts'

/** Builds the field `unread_msgs` of a register response. */
export async function readUnread(db: Db, reader: Reader): Promise<JsonText> {
  const groups = await listUnreadGroups(db, reader)
  const streams = groups.filter(({ stream_id }) => stream_id !== null).sort(compareStreamAndTopic)
  const conversations = groups.filter(({ members }) => members !== null)
  const pairs = conversations
    .filter(({ members }) => (members?.length ?? 0) <= 2)
    .map(withOtherMember(reader))
  const huddles = conversations.filter(({ members }) => (members?.length ?? 0) > 2).map(withAllMembers)
  const count = groups.reduce((sum, { is_muted, messages }) => sum + (is_muted ? 0 : messages), 0)
  const wildcard = groups.flatMap(({ wildcard_mentions }) => wildcard_mentions ?? [])
  const mentions = groups.flatMap((group) => [
    ...(group.mentions ?? []),
    ...(group.is_muted ? [] : (group.wildcard_mentions ?? [])),
  ])
  return new JsonText([
    `{"count":${count},"pms":`,
    ...(
      await jsonInPieces(
        pairs.sort((a, b) => a.other - b.other),
        viewPair,
      )
    ).pieces,
    ',"streams":',
    ...(await jsonInPieces(streams, viewTopic)).pieces,
    ',"huddles":',
    ...(
      await jsonInPieces(
        huddles.sort((a, b) => compareCodePoints(a.everyone, b.everyone)),
        viewHuddle,
      )
    ).pieces,
    `,"mentions":${toSortedJson(mentions)},"wildcard_mentions":${toSortedJson(wildcard)}}`,
  ])
}

const compareStreamAndTopic = (one: UnreadGroup, other: UnreadGroup): number =>
  (one.stream_id ?? 0) - (other.stream_id ?? 0) || compareCodePoints(one.topic, other.topic)

const withOtherMember =
  ({ user_id }: Reader) =>
  ({ ids, members }: UnreadGroup) => ({ ids, other: members?.find((id) => id !== user_id) ?? user_id })

const withAllMembers = ({ ids, members }: UnreadGroup) => ({ ids, everyone: (members ?? []).join() })

const viewPair = ({ ids, other }: { ids: string; other: number }) =>
  `{"sender_id":${other},"unread_message_ids":${ids}}`

const viewTopic = ({ stream_id, topic, ids, sender_ids }: UnreadGroup) =>
  `{"stream_id":${stream_id},"topic":${JSON.stringify(topic)},"unread_message_ids":${ids},"sender_ids":${sender_ids}}`

const viewHuddle = ({ ids, everyone }: { ids: string; everyone: string }) =>
  `{"user_ids_string":"${everyone}","unread_message_ids":${ids}}`

const toSortedJson = (ids: number[]): string => JSON.stringify(ids.sort((a, b) => a - b))
