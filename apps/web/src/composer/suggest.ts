import type { StreamId, UserId } from '@oxbow/contract'
import type { Target } from '../client/conversations/target.ts'
import { formatShortDateTime } from '../client/formats/dates.ts'
import { localTimeOf, timeAt } from '../client/formats/local-time.ts'
import { listUsualTimes } from '../client/formats/usual-times.ts'
import type { Person } from '../client/people/people.ts'
import { isNameShared, peopleSearch } from '../client/people/people-search.ts'
import { defaultCodeLanguage, ownId, privateConversations, userGroups } from '../client/store.ts'
import { membersOf, topicsOf } from '../client/streams/stream-facts.ts'
import { kindOf, streamIdsByName, streamsById } from '../client/streams/streams.ts'
import { loadedMarkdown } from '../client/writing/render.ts'
import { findBest } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import type { StreamShapeKind } from '../ui/StreamShape.tsx'
import { findEmoji } from './emoji-choices.ts'
import {
  emojiName,
  groupMention,
  mention,
  openStreamLink,
  streamLink,
  timeMark,
  topicLink,
} from './insertions.ts'
import type { Trigger } from './triggers.ts'

/** A row in the list of suggestions. */
export interface Suggestion {
  readonly key: string
  readonly title: string
  /** Shown beside the title. */
  readonly detail?: string | undefined
  readonly insert: string
  readonly picture?:
    | { readonly kind: 'person'; readonly user_id: UserId; readonly url: string }
    | { readonly kind: 'glyph'; readonly text: string }
    | { readonly kind: 'image'; readonly url: string }
    | { readonly kind: 'stream'; readonly shape: StreamShapeKind; readonly color: string }
}

const maxSuggestions = 8

/** Returns suggestions for a trigger, best first. Reads signals. */
export function suggest(trigger: Trigger, target: Target): Suggestion[] {
  switch (trigger.kind) {
    case 'person':
      return suggestPeople(trigger.query, trigger.isSilent, target)
    case 'stream':
      return suggestStreams(trigger.query)
    case 'topic':
      return suggestTopicLinks(trigger.stream, trigger.query)
    case 'emoji':
      return suggestEmoji(trigger.query)
    case 'language':
      return suggestLanguages(trigger.query)
    case 'time':
      return suggestTimes(trigger.query)
    case 'command':
      return 'me'.startsWith(trigger.query)
        ? [{ key: 'me', title: '/me', detail: t('typeahead.me'), insert: '/me ' }]
        : []
  }
}

function suggestPeople(query: string, isSilent: boolean, target: Target): Suggestion[] {
  const people = peopleSearch.find(query, maxSuggestions, rankPeople(target))
  const groups = findBest(userGroups.value ?? [], query, 3, { namesOf: ({ name }) => [name] })
  const wildcard =
    target.type === 'stream' &&
    query !== '' &&
    !isSilent &&
    ['all', 'everyone'].some((name) => name.startsWith(query.toLowerCase()))
  return [
    ...(wildcard
      ? [
          {
            key: 'all',
            title: 'all',
            detail: t('typeahead.all'),
            insert: mention('all', { isSilent: false }),
          },
        ]
      : []),
    ...people.map(({ item }) => suggestPerson(item, isSilent)),
    ...groups.map(({ id, name, description }) => ({
      key: `group ${id}`,
      title: name,
      detail: description || t('typeahead.group'),
      insert: groupMention(name),
    })),
  ].slice(0, maxSuggestions)
}

function suggestPerson({ user_id, full_name, avatar_url, is_bot }: Person, isSilent: boolean): Suggestion {
  return {
    key: `person ${user_id}`,
    title: full_name,
    detail: user_id === ownId.value ? t('typeahead.you') : is_bot ? t('typeahead.bot') : undefined,
    // A getter, because the comparison with all names is needed only for the chosen suggestion.
    get insert() {
      return mention(full_name, { id: isNameShared(user_id, full_name) ? user_id : undefined, isSilent })
    },
    picture: { kind: 'person', user_id, url: avatar_url },
  }
}

/**
 * Returns a function that ranks people for a target: members of the conversation, then people with recent
 * private conversations, then others. Bots come after people.
 */
export function rankPeople(target: Target): (person: Person) => number {
  const members =
    target.type === 'stream' ? membersOf(target.stream_id).value : new Set<unknown>(target.user_ids)
  const recent = new Set<unknown>((privateConversations.value ?? []).flatMap(({ user_ids }) => user_ids))
  return ({ user_id, is_bot }) => {
    const nearness = members?.has(user_id) ? 0 : recent.has(user_id) ? 2 : 4
    return nearness + (is_bot || user_id === ownId.value ? 1 : 0)
  }
}

function suggestStreams(query: string): Suggestion[] {
  const best = findBest(streamsById.value.values(), query, maxSuggestions, {
    namesOf: ({ name }) => [name],
    tierOf: ({ is_muted }) => (is_muted ? 1 : 0),
  })
  return best.flatMap((stream) => [
    {
      key: `stream ${stream.stream_id}`,
      title: stream.name,
      detail: stream.description || undefined,
      insert: streamLink(stream.name),
      picture: { kind: 'stream' as const, shape: kindOf(stream), color: stream.color },
    },
    ...(best.length === 1
      ? [
          {
            key: 'topics',
            title: t('typeahead.topics', { stream: stream.name }),
            insert: openStreamLink(stream.name),
          },
        ]
      : []),
  ])
}

function suggestTopicLinks(stream: string, query: string): Suggestion[] {
  const stream_id = streamIdsByName.value.get(stream.toLowerCase())
  if (stream_id === undefined) return []
  return listTopics(stream_id, query).map((topic) => ({
    key: topic,
    title: topic,
    insert: topicLink(stream, topic),
  }))
}

/** Lists the topics of a stream that match, newest first. */
export function listTopics(stream_id: StreamId, query: string): string[] {
  return findBest(topicsOf(stream_id).value ?? [], query.trim(), maxSuggestions, {
    namesOf: ({ name }) => [name],
  }).map(({ name }) => name)
}

function suggestEmoji(query: string): Suggestion[] {
  return findEmoji(query, maxSuggestions).map(({ name, glyph, url }) => ({
    key: name,
    title: `:${name}:`,
    insert: emojiName(name),
    picture: url === undefined ? { kind: 'glyph', text: glyph } : { kind: 'image', url },
  }))
}

function suggestLanguages(query: string): Suggestion[] {
  const all = loadedMarkdown.value?.listLanguages() ?? []
  const usual = defaultCodeLanguage.value
  const ordered = usual ? [usual, ...all.filter((name) => name !== usual)] : all
  if (ordered.includes(query)) return []
  return findBest(ordered, query, maxSuggestions, { namesOf: (name) => [name] }).map((name) => ({
    key: name,
    title: name,
    insert: `${name}\n`,
  }))
}

/** Suggests common times, or the time that was typed. */
function suggestTimes(query: string): Suggestion[] {
  const typed = readTime(query)
  const choices = typed ? [{ text: t('typeahead.this_time'), time: typed }] : listUsualTimes()
  return choices.map(({ text, time }) => ({
    key: text,
    title: text,
    detail: formatShortDateTime(time),
    insert: timeMark(time),
  }))
}

/** Reads a time as messages may contain it. A time without a zone is in the account's time zone. */
function readTime(typed: string): Date | undefined {
  const localNow = new Date(`${localTimeOf(Date.now())}Z`)
  const moment = loadedMarkdown.value?.parseTime(typed, localNow)
  if (!moment) return undefined
  const named = new Date(moment.seconds * 1000)
  return moment.offsetMinutes === undefined ? new Date(timeAt(named.toISOString().slice(0, 19))) : named
}
