import { z } from 'zod'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic, repositoryTopic } from '../../git/topics.ts'
import { id, line, optional, postMessages, read, text, url } from '../../writing.ts'
import { byUser, type GitLabDelivery, getProject, type Translator } from './delivery.ts'

const userSchema = z.object({ name: text })

const mergeRequestEvent = z.object({
  ...byUser,
  object_attributes: z.object({
    iid: id,
    title: text,
    url,
    source_branch: optional(text),
    target_branch: optional(text),
    description: optional(text),
    oldrev: optional(text),
  }),
  assignee: optional(userSchema),
  assignees: optional(z.array(userSchema).min(1)),
})
type MergeRequestEvent = z.output<typeof mergeRequestEvent>

export const mergeRequestOpened: Translator = (delivery) => translateWithDescription(delivery, 'created')

export const mergeRequestUpdated: Translator = (delivery) => {
  const { object_attributes } = read(mergeRequestEvent, delivery.payload)
  return object_attributes.oldrev === undefined
    ? translateWithDescription(delivery, 'updated')
    : mergeRequestChanged('added commits to')(delivery)
}

export const mergeRequestChanged =
  (action: string): Translator =>
  (delivery) => {
    const { user, object_attributes } = read(mergeRequestEvent, delivery.payload)
    const item = toNumberedItem(object_attributes)
    return postMessages({
      topic: mergeRequestTopic(delivery, item),
      content: `${line(user.name)} ${action} ${linkNumbered(item, showsTitle(delivery))}.`,
    })
  }

function translateWithDescription(delivery: GitLabDelivery, action: string) {
  const event = read(mergeRequestEvent, delivery.payload)
  const { source_branch: head, target_branch: base, description } = event.object_attributes
  const item = toNumberedItem(event.object_attributes)
  return postMessages({
    topic: mergeRequestTopic(delivery, item),
    content: changeMessage({
      actor: event.user.name,
      action,
      item,
      showsTitle: showsTitle(delivery),
      assignees: event.assignees?.map(({ name }) => name) ?? (event.assignee && [event.assignee.name]),
      branches: head && base ? { head, base } : undefined,
      description,
    }),
  })
}

function toNumberedItem({ iid, title, url }: MergeRequestEvent['object_attributes']): NumberedItem {
  return { type: 'MR', number: iid, title, url }
}

/**
 * Returns the topic of a merge request. Without `use_merge_request_title`, it contains only the
 * number, so that it stays the same when the title changes.
 */
export function mergeRequestTopic({ payload, options }: GitLabDelivery, item: NumberedItem): string {
  const { name } = getProject(payload)
  return options.use_merge_request_title
    ? numberedTopic(name, item)
    : repositoryTopic(`${name} / MR #${item.number}`)
}

export const showsTitle = ({ hasTopic, options }: GitLabDelivery): boolean =>
  hasTopic || !options.use_merge_request_title
