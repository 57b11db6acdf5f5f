import { z } from 'zod'
import { assignmentMessage } from '../../git/assignments.ts'
import { milestoneMessage } from '../../git/milestones.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import {
  id,
  ignore,
  line,
  link,
  list,
  optional,
  postMessages,
  read,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { account, milestone, repositoryFields, type Translator } from './delivery.ts'

const userSchema = z.object({ login: text })
const team = z.object({ name: text, html_url: optional(url) })
const branch = z.object({ ref: text })

export const pullRequest = z.object({
  html_url: url,
  number: id,
  title: text,
})

const pullRequestEvent = z.object({
  ...repositoryFields,
  action: text,
  assignee: optional(userSchema),
  requested_reviewer: optional(account),
  requested_team: optional(team),
  milestone: optional(milestone),
  pull_request: pullRequest.extend({
    body: optional(text),
    head: optional(branch),
    base: optional(branch),
    assignee: optional(userSchema),
    merged: optional(z.boolean()),
    requested_reviewers: optional(z.array(account)),
    requested_teams: optional(z.array(team)),
  }),
})
type PullRequestEvent = z.output<typeof pullRequestEvent>

export const pullRequestChanged: Translator = ({ payload, hasTopic }) => {
  const event = read(pullRequestEvent, payload)
  const item = toNumberedItem(event.pull_request)
  const topic = numberedTopic(event.repository.name, item)
  const headline = describe(event, item, hasTopic)
  if (headline !== undefined)
    return postMessages({ event: filterName(event.action), topic, content: headline })
  return ignoredActions.has(event.action) ? ignore() : unsupported(`pull_request:${event.action}`)
}

export function toNumberedItem({ html_url, number, title }: z.output<typeof pullRequest>): NumberedItem {
  return { type: 'PR', number, title, url: html_url }
}

const ignoredActions = new Set(['labeled', 'unlabeled', 'review_request_removed'])

function describe(event: PullRequestEvent, item: NumberedItem, showsTitle: boolean): string | undefined {
  const { action, assignee, milestone, sender, pull_request } = event
  const actor = sender.login
  const linked = linkNumbered(item, showsTitle)
  const change = (action: string) => changeMessage({ actor, action, item, showsTitle })
  switch (action) {
    case 'opened':
    case 'reopened':
    case 'edited':
    case 'synchronize':
      return changeMessage({
        actor,
        action: action === 'synchronize' ? 'updated' : action,
        item,
        showsTitle,
        assignees: pull_request.assignee && [pull_request.assignee.login],
        branches: describeBranches(pull_request),
        description: pull_request.body,
      })
    case 'closed':
      if (pull_request.merged === false) return `${line(actor)} closed ${linked} without merging it.`
      return change(pull_request.merged ? 'merged' : 'closed')
    case 'assigned':
    case 'unassigned':
      return assignmentMessage({
        actor,
        action,
        linked,
        assignee: (assignee ?? pull_request.assignee)?.login,
      })
    case 'review_requested':
      return `${line(actor)} requested a review of ${linked}${listReviewers(event)}.`
    case 'ready_for_review':
      return `${line(actor)} marked ${linked} as ready for review.`
    case 'converted_to_draft':
      return `${line(actor)} converted ${linked} to a draft.`
    case 'locked':
    case 'unlocked':
      return change(action)
    case 'auto_merge_enabled':
    case 'auto_merge_disabled':
      return change(`${action === 'auto_merge_enabled' ? 'enabled' : 'disabled'} auto-merge of`)
    case 'enqueued':
      return `${line(actor)} added ${linked} to the merge queue.`
    case 'dequeued':
      return `${line(actor)} removed ${linked} from the merge queue.`
    case 'milestoned':
    case 'demilestoned':
      return milestoneMessage({ actor, action, linked, milestone })
  }
}

function describeBranches({ head, base }: PullRequestEvent['pull_request']) {
  return head && base && { head: head.ref, base: base.ref }
}

/** Returns all requested reviewers if GitHub lists them, otherwise the reviewer of this event. */
function listReviewers({ pull_request, requested_reviewer, requested_team }: PullRequestEvent): string {
  const { requested_reviewers: people = [], requested_teams: teams = [] } = pull_request
  const isListed = people.length + teams.length > 0
  const requestedPeople = isListed ? people : requested_reviewer ? [requested_reviewer] : []
  const requestedTeams = isListed ? teams : requested_team ? [requested_team] : []
  const requested = [
    ...requestedPeople.map(({ login, html_url }) => link(login, html_url)),
    ...requestedTeams.map(({ name, html_url }) => link(name, html_url)),
  ]
  return requested.length === 0 ? '' : ` from ${list(requested)}`
}

function filterName(action: string): string {
  switch (action) {
    case 'opened':
    case 'reopened':
      return 'opened_pull_request'
    case 'synchronize':
    case 'edited':
      return 'updated_pull_request'
    case 'closed':
      return 'closed_pull_request'
    case 'assigned':
    case 'unassigned':
      return 'assigned_or_unassigned_pull_request'
    case 'review_requested':
    case 'ready_for_review':
      return `pull_request_${action}`
    default:
      return 'pull_request'
  }
}
