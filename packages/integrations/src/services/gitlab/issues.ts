import { z } from 'zod'
import { changeMessage, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, optional, postMessages, read, text, url } from '../../writing.ts'
import { byUser, getProject, type Translator } from './delivery.ts'

const userSchema = z.object({ name: text })

const issueEvent = z.object({
  ...byUser,
  object_attributes: z.object({ iid: id, title: text, url, description: optional(text) }),
  assignee: optional(userSchema),
  assignees: optional(z.array(userSchema).min(1)),
})
type IssueEvent = z.output<typeof issueEvent>

export const issueOpened: Translator = (delivery) =>
  translateIssueEvent(delivery, 'created', ({ assignee, assignees, object_attributes }) => ({
    assignees: assignees?.map(({ name }) => name) ?? (assignee && [assignee.name]),
    description: object_attributes.description,
  }))

export const issueChanged =
  (action: string): Translator =>
  (delivery) =>
    translateIssueEvent(delivery, action, () => ({}))

function translateIssueEvent(
  { payload, hasTopic }: Parameters<Translator>[0],
  action: string,
  detailsOf: (event: IssueEvent) => { assignees?: string[] | undefined; description?: string | undefined },
) {
  const event = read(issueEvent, payload)
  const { iid, title, url } = event.object_attributes
  const item: NumberedItem = { type: 'Issue', number: iid, title, url }
  return postMessages({
    topic: numberedTopic(getProject(payload).name, item),
    content: changeMessage({
      actor: event.user.name,
      action,
      item,
      showsTitle: hasTopic,
      ...detailsOf(event),
    }),
  })
}
