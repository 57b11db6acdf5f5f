import { z } from 'zod'
import { withQuote } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, line, optional, postMessages, read, text, url } from '../../writing.ts'
import { describeAction, describeAssociation } from './actions.ts'
import { account, repositoryFields, type Translator } from './delivery.ts'

const branch = z.object({ ref: text })

const pullRequest = z.object({ html_url: url, number: id, title: text })

const pullRequestEvent = z.object({
  ...repositoryFields,
  action: text,
  pull_request: pullRequest.extend({
    body: optional(text),
    // Gogs and Gitea name the two branches differently.
    head_branch: optional(text),
    base_branch: optional(text),
    head: optional(branch),
    base: optional(branch),
    assignee: optional(account),
    milestone: optional(z.object({ title: text })),
    merged: optional(z.boolean()),
    merged_by: optional(account),
  }),
})
type PullRequest = z.output<typeof pullRequestEvent>['pull_request']

const actionsWithDetails = new Set(['opened', 'reopened', 'edited', 'synchronized'])

export const pullRequestChanged: Translator = ({ payload, hasTopic }) => {
  const { action, pull_request, repository, sender } = read(pullRequestEvent, payload)
  const item = toNumberedItem(pull_request)
  const { assignee, body, merged, merged_by, milestone } = pull_request
  const isMerged = action === 'closed' && merged === true
  const event = { actor: (isMerged && merged_by) || sender, action, item, showsTitle: hasTopic }
  const showsDetails = actionsWithDetails.has(action)
  return postMessages({
    topic: numberedTopic(repository.name, item),
    content:
      describeAssociation({ ...event, assignee, milestone }) ??
      changeMessage({
        ...event,
        action: isMerged ? 'merged' : describeAction(action),
        assignees: showsDetails && assignee ? [assignee] : [],
        branches: showsDetails ? describeBranches(pull_request) : undefined,
        description: showsDetails ? body : undefined,
      }),
  })
}

const toNumberedItem = ({ html_url, number, title }: z.output<typeof pullRequest>): NumberedItem => ({
  type: 'PR',
  number,
  title,
  url: html_url,
})

function describeBranches({ head_branch, base_branch, head, base }: PullRequest) {
  const from = head_branch ?? head?.ref
  const to = base_branch ?? base?.ref
  return from !== undefined && to !== undefined ? { head: from, base: to } : undefined
}

const reviewEvent = z.object({
  ...repositoryFields,
  pull_request: pullRequest,
  review: optional(z.object({ content: optional(text) })),
})

export const pullRequestReviewed =
  (verdict: string): Translator =>
  ({ payload, hasTopic }) => {
    const { pull_request, repository, review, sender } = read(reviewEvent, payload)
    const item = toNumberedItem(pull_request)
    return postMessages({
      topic: numberedTopic(repository.name, item),
      content: withQuote(`${line(sender)} ${verdict} ${linkNumbered(item, hasTopic)}`, review?.content),
    })
  }
