import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import type { NumberedItem } from '../../git/numbered.ts'
import { numberedTopic, repositoryTopic } from '../../git/topics.ts'
import { id, line, link, optional, postMessages, read, text, unsupported, url } from '../../writing.ts'
import { byUser, type GitLabDelivery, getProject, type Translator } from './delivery.ts'
import { mergeRequestTopic } from './merge-requests.ts'

const numberedAndTitled = z.object({ iid: id, title: text })

const emojiEvent = z.object({
  ...byUser,
  event_type: text,
  object_attributes: z.object({
    name: z.string().regex(/^[\w+-]+$/),
    awardable_type: text,
    awarded_on_url: url,
  }),
  issue: optional(numberedAndTitled),
  merge_request: optional(numberedAndTitled),
})
type EmojiEvent = z.output<typeof emojiEvent>

export const emojiAwarded: Translator = (delivery) => {
  const event = read(emojiEvent, delivery.payload)
  const { awardable_type, awarded_on_url, name } = event.object_attributes
  const awardedItem = link(describeAction(awardable_type), awarded_on_url)
  const emoji = `:${name}:`
  const headline = choose(event.event_type, {
    award: `reacted to ${awardedItem} with ${emoji}`,
    revoke: `took ${emoji} back from ${awardedItem}`,
  })
  if (headline === undefined) return unsupported(`Emoji Hook ${event.event_type}`)
  return postMessages({
    topic: chooseTopic(delivery, event),
    content: `${line(event.user.name)} ${headline}.`,
  })
}

function chooseTopic(delivery: GitLabDelivery, { issue, merge_request }: EmojiEvent): string {
  const { name } = getProject(delivery.payload)
  if (merge_request) return mergeRequestTopic(delivery, toNumberedItem('MR', merge_request))
  return issue ? numberedTopic(name, toNumberedItem('Issue', issue)) : repositoryTopic(name)
}

const toNumberedItem = (type: string, { iid, title }: z.output<typeof numberedAndTitled>): NumberedItem => ({
  type,
  number: iid,
  title,
})

function describeAction(type: string): string {
  const words = choose(type, {
    Issue: 'an issue',
    MergeRequest: 'a merge request',
    Note: 'a comment',
    ProjectSnippet: 'a snippet',
    Snippet: 'a snippet',
  })
  return words ?? type
}
