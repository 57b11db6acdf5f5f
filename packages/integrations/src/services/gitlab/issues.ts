import { z } from 'zod'
import { changeMessage, type Numbered } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, optional, read, say, text, url } from '../../writing.ts'
import { byUser, getPlace, type Translate } from './delivery.ts'

const someone = z.object({ name: text })

const issueEvent = z.object({
  ...byUser,
  object_attributes: z.object({ iid: id, title: text, url, description: optional(text) }),
  assignee: optional(someone),
  assignees: optional(z.array(someone).min(1)),
})
type IssueEvent = z.output<typeof issueEvent>

export const issueOpened: Translate = (delivery) =>
  tell(delivery, 'created', ({ assignee, assignees, object_attributes }) => ({
    assignees: assignees?.map(({ name }) => name) ?? (assignee && [assignee.name]),
    description: object_attributes.description,
  }))

export const issueChanged =
  (action: string): Translate =>
  (delivery) =>
    tell(delivery, action, () => ({}))

function tell(
  { payload, hasTopic }: Parameters<Translate>[0],
  action: string,
  detailsOf: (event: IssueEvent) => { assignees?: string[] | undefined; description?: string | undefined },
) {
  const event = read(issueEvent, payload)
  const { iid, title, url } = event.object_attributes
  const thing: Numbered = { type: 'Issue', number: iid, title, url }
  return say({
    topic: numberedTopic(getPlace(payload).name, thing),
    content: changeMessage({
      actor: event.user.name,
      action,
      thing,
      showsTitle: hasTopic,
      ...detailsOf(event),
    }),
  })
}
