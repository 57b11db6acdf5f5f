import { z } from 'zod'
import { withEvent, withRepository } from '../../git/outcomes.ts'
import {
  anything,
  bodyHmac,
  ignore,
  integration,
  optional,
  read,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { checkRun, commitComment, commitStatus } from './commits.ts'
import { options, type Translator } from './delivery.ts'
import { deploymentCreated, deploymentStatus, pagesBuilt } from './deployments.ts'
import { discussionChanged, discussionComment } from './discussions.ts'
import { issueChanged, issueComment } from './issues.ts'
import { membershipChanged, ping, teamAdded, teamChanged } from './organizations.ts'
import { pullRequestChanged } from './pull-requests.ts'
import { push } from './push.ts'
import {
  collaboratorChanged,
  refCreated,
  refDeleted,
  releaseChanged,
  repositoryChanged,
  repositoryForked,
  repositoryMadePublic,
  repositoryStarred,
  wikiChanged,
} from './repositories.ts'
import { pullRequestReview, pullRequestReviewComment } from './reviews.ts'
import { sponsorshipChanged } from './sponsors.ts'

const translators: ReadonlyMap<string, Translator> = new Map([
  ['check_run', checkRun],
  ['commit_comment', commitComment],
  ['create', refCreated],
  ['delete', refDeleted],
  ['deployment', deploymentCreated],
  ['deployment_status', deploymentStatus],
  ['discussion', discussionChanged],
  ['discussion_comment', discussionComment],
  ['fork', repositoryForked],
  ['gollum', wikiChanged],
  ['issue_comment', issueComment],
  ['issues', issueChanged],
  ['member', collaboratorChanged],
  ['membership', membershipChanged],
  ['page_build', pagesBuilt],
  ['ping', ping],
  ['public', repositoryMadePublic],
  ['pull_request', pullRequestChanged],
  ['pull_request_review', pullRequestReview],
  ['pull_request_review_comment', pullRequestReviewComment],
  ['push', push],
  ['release', releaseChanged],
  ['repository', repositoryChanged],
  ['sponsorship', sponsorshipChanged],
  ['star', repositoryStarred],
  ['status', commitStatus],
  ['team', teamChanged],
  ['team_add', teamAdded],
  ['watch', repositoryStarred],
])

const ignoredEvents = new Set([
  'check_suite',
  'label',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'repository_vulnerability_alert',
])

/** More specific names for pull request events, so that filters can distinguish them. */
const pullRequestEvents = [
  'assigned_or_unassigned_pull_request',
  'closed_pull_request',
  'opened_pull_request',
  'pull_request_ready_for_review',
  'pull_request_review_requested',
  'push_commits',
  'push_tags',
  'updated_pull_request',
]

const commonPayload = z.object({
  action: optional(text),
  repository: optional(z.object({ full_name: text, html_url: url, private: optional(z.boolean()) })),
})

export const service = integration({
  title: 'GitHub',
  client: 'GitHub',
  category: 'Version control',
  signature: bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
  eventHeader: { name: 'X-GitHub-Event' },
  deliveryId: { header: 'X-GitHub-Delivery', within: 'X-GitHub-Hook-ID' },
  events: [...[...translators.keys()].filter((event) => event !== 'push'), ...pullRequestEvents].sort(),
  options,
  payload: anything,
  translate(delivery) {
    const { event, options, payload } = delivery
    const { action, repository } = read(commonPayload, payload)
    if (options.ignore_private_repositories && repository?.private) return ignore()
    if (ignoredEvents.has(event)) return ignore()
    const translator = translators.get(event)
    if (translator === undefined) return unsupported(`${event}:${action ?? '???'}`)
    const outcome = withEvent(translator(delivery), event)
    return options.include_repository_name && repository
      ? withRepository(outcome, repository.full_name, repository.html_url)
      : outcome
  },
})
