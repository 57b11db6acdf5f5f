import { withEvent, withRepository } from '../../git/outcomes.ts'
import { anything, integration, sharedToken, unsupported } from '../../writing.ts'
import { jobChanged, pipelineChanged } from './builds.ts'
import { findProject, options, type Translator } from './delivery.ts'
import { emojiAwarded } from './emoji.ts'
import { issueChanged, issueOpened } from './issues.ts'
import { getEventKind } from './kind.ts'
import { mergeRequestChanged, mergeRequestOpened, mergeRequestUpdated } from './merge-requests.ts'
import { noteOnCommit, noteOnIssue, noteOnMergeRequest, noteOnSnippet } from './notes.ts'
import {
  accessTokenExpires,
  deploymentChanged,
  featureFlagChanged,
  hookTested,
  releaseChanged,
  wikiChanged,
} from './projects.ts'
import { push, tagPush } from './push.ts'

const issueKinds = (hook: string): [string, Translator][] => [
  [`${hook} open`, issueOpened],
  [`${hook} close`, issueChanged('closed')],
  [`${hook} reopen`, issueChanged('reopened')],
  [`${hook} update`, issueChanged('updated')],
]

const noteKinds = (hook: string): [string, Translator][] => [
  [`${hook} Commit`, noteOnCommit],
  [`${hook} MergeRequest`, noteOnMergeRequest],
  [`${hook} Issue`, noteOnIssue],
  [`${hook} Snippet`, noteOnSnippet],
]

const translators: ReadonlyMap<string, Translator> = new Map([
  ['Push Hook', push],
  ['Tag Push Hook', tagPush],
  ...issueKinds('Issue Hook'),
  ...issueKinds('Confidential Issue Hook'),
  ['Merge Request Hook open', mergeRequestOpened],
  ['Merge Request Hook update', mergeRequestUpdated],
  ['Merge Request Hook merge', mergeRequestChanged('merged')],
  ['Merge Request Hook close', mergeRequestChanged('closed')],
  ['Merge Request Hook reopen', mergeRequestChanged('reopened')],
  ['Merge Request Hook approved', mergeRequestChanged('approved')],
  ['Merge Request Hook unapproved', mergeRequestChanged('unapproved')],
  // One of several approvals that the merge request requires.
  ['Merge Request Hook approval', mergeRequestChanged('gave an approval to')],
  ['Merge Request Hook unapproval', mergeRequestChanged('withdrew an approval from')],
  ...noteKinds('Note Hook'),
  ...noteKinds('Confidential Note Hook'),
  ['Wiki Page Hook create', wikiChanged('created')],
  ['Wiki Page Hook update', wikiChanged('updated')],
  ['Wiki Page Hook delete', wikiChanged('deleted')],
  ['Job Hook', jobChanged],
  ['Build Hook', jobChanged],
  ['Pipeline Hook', pipelineChanged],
  ['Release Hook', releaseChanged],
  ['Feature Flag Hook', featureFlagChanged],
  ['Deployment Hook', deploymentChanged],
  ['Emoji Hook', emojiAwarded],
  ['Resource Access Token Hook', accessTokenExpires],
  ['Test Hook', hookTested],
])

export const service = integration({
  title: 'GitLab',
  client: 'Gitlab',
  category: 'Version control',
  signature: sharedToken('X-Gitlab-Token'),
  eventHeader: { name: 'X-Gitlab-Event' },
  // `X-Gitlab-Event-UUID` is the same for all webhooks that one event triggers.
  deliveryId: { header: 'Idempotency-Key' },
  events: [...translators.keys()],
  options,
  payload: anything,
  translate(delivery) {
    const { event, hasTopic, payload } = delivery
    const kind = getEventKind(event, payload)
    const translator = translators.get(kind)
    if (translator === undefined) return unsupported(kind)
    const outcome = withEvent(translator(delivery), kind)
    const project = hasTopic ? findProject(payload) : undefined
    return project ? withRepository(outcome, project.name, project.home) : outcome
  },
})
