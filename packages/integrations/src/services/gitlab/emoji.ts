import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import type { Numbered } from '../../git/numbered.ts'
import { numberedTopic, repositoryTopic } from '../../git/topics.ts'
import { id, line, link, optional, read, say, text, unsupported, url } from '../../writing.ts'
import { byUser, type GitLabDelivery, getPlace, type Translate } from './delivery.ts'
import { mergeRequestTopic } from './merge-requests.ts'

const titled = z.object({ iid: id, title: text })

const emojiEvent = z.object({
  ...byUser,
  event_type: text,
  object_attributes: z.object({
    name: z.string().regex(/^[\w+-]+$/),
    awardable_type: text,
    awarded_on_url: url,
  }),
  issue: optional(titled),
  merge_request: optional(titled),
})
type EmojiEvent = z.output<typeof emojiEvent>

export const emojiAwarded: Translate = (delivery) => {
  const event = read(emojiEvent, delivery.payload)
  const { awardable_type, awarded_on_url, name } = event.object_attributes
  const what = link(inWords(awardable_type), awarded_on_url)
  const emoji = `:${name}:`
  const told = choose(event.event_type, {
    award: `reacted to ${what} with ${emoji}`,
    revoke: `took ${emoji} back from ${what}`,
  })
  if (told === undefined) return unsupported(`Emoji Hook ${event.event_type}`)
  return say({ topic: topicOf(delivery, event), content: `${line(event.user.name)} ${told}.` })
}

function topicOf(delivery: GitLabDelivery, { issue, merge_request }: EmojiEvent): string {
  const { name } = getPlace(delivery.payload)
  if (merge_request) return mergeRequestTopic(delivery, numbered('MR', merge_request))
  return issue ? numberedTopic(name, numbered('Issue', issue)) : repositoryTopic(name)
}

const numbered = (type: string, { iid, title }: z.output<typeof titled>): Numbered => ({
  type,
  number: iid,
  title,
})

function inWords(type: string): string {
  const words = choose(type, {
    Issue: 'an issue',
    MergeRequest: 'a merge request',
    Note: 'a comment',
    ProjectSnippet: 'a snippet',
    Snippet: 'a snippet',
  })
  return words ?? type
}
