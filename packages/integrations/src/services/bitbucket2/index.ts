import { withEvent } from '../../git/outcomes.ts'
import { anything, bodyHmac, integration, unsupported } from '../../writing.ts'
import { options, type Translator } from './delivery.ts'
import { issueChanged, issueCommented } from './issues.ts'
import { pullRequestChanged, pullRequestCommented, pullRequestWritten } from './pull-requests.ts'
import { push } from './push.ts'
import { commitCommented, commitStatus, repositoryForked, repositoryUpdated } from './repositories.ts'

const eventHeader = 'X-Event-Key'

const translators: ReadonlyMap<string, Translator> = new Map([
  ['push', push],
  ['fork', repositoryForked],
  ['commit_comment', commitCommented],
  ['change_commit_status', commitStatus],
  ['issue_created', issueChanged('created')],
  ['issue_updated', issueChanged('updated')],
  ['issue_commented', issueCommented],
  ['pull_request_created', pullRequestWritten('created')],
  ['pull_request_updated', pullRequestWritten('updated')],
  ['pull_request_approved', pullRequestChanged('approved')],
  ['pull_request_unapproved', pullRequestChanged('unapproved')],
  ['pull_request_changes_request_created', pullRequestChanged('requested changes to')],
  ['pull_request_changes_request_removed', pullRequestChanged('no longer requests changes to')],
  ['pull_request_rejected', pullRequestChanged('rejected')],
  ['pull_request_fulfilled', pullRequestChanged('merged')],
  ['pull_request_comment_created', pullRequestCommented('commented')],
  ['pull_request_comment_updated', pullRequestCommented('edited')],
  ['pull_request_comment_deleted', pullRequestCommented('deleted')],
  ['repo:updated', repositoryUpdated],
])

/** Derives the event from the payload, because old webhooks do not send it in a header. */
function nameEvent(payload: Readonly<Record<string, unknown>>, header: string): string | undefined {
  const has = (part: string) => payload[part] !== undefined && payload[part] !== null
  if (has('push')) return 'push'
  if (has('fork')) return 'fork'
  if (has('comment') && has('commit')) return 'commit_comment'
  if (has('commit_status')) return 'change_commit_status'
  if (has('issue'))
    return has('changes') ? 'issue_updated' : has('comment') ? 'issue_commented' : 'issue_created'
  if (has('pullrequest') && header.startsWith('pullrequest:'))
    return header.replace('pullrequest:', 'pull_request_')
  return header || undefined
}

export const service = integration({
  title: 'Bitbucket Cloud',
  nameInErrors: 'BitBucket2',
  client: 'Bitbucket2',
  category: 'Version control',
  signature: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
  eventHeader: { name: eventHeader, isOptional: true },
  deliveryId: { header: 'X-Request-UUID' },
  events: [...translators.keys()],
  options,
  escapesTwice: true,
  payload: anything,
  translate(delivery) {
    const name = nameEvent(delivery.payload, delivery.event)
    if (name === undefined) return { kind: 'refused', reason: { header: eventHeader } }
    const translator = translators.get(name)
    return translator ? withEvent(translator(delivery), name) : unsupported(delivery.event || name)
  },
})
