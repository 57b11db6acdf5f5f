import { withEvent } from '../../git/outcomes.ts'
import { type Outcome, unsupported } from '../../writing.ts'
import type { GogsDelivery, Translator } from './delivery.ts'
import { issueChanged, issueComment } from './issues.ts'
import { pullRequestChanged } from './pull-requests.ts'
import { push, refCreated, refDeleted } from './push.ts'
import { releaseChanged, repositoryForked } from './releases.ts'

/** Translators for the events that Gogs and Gitea share. */
export const translators: ReadonlyMap<string, Translator> = new Map([
  ['create', refCreated],
  ['delete', refDeleted],
  ['fork', repositoryForked],
  ['issue_comment', issueComment],
  ['issues', issueChanged],
  ['pull_request', pullRequestChanged],
  ['push', push],
  ['release', releaseChanged],
])

export function translateWith(translators: ReadonlyMap<string, Translator>, delivery: GogsDelivery): Outcome {
  const translator = translators.get(delivery.event)
  return translator ? withEvent(translator(delivery), delivery.event) : unsupported(delivery.event)
}
