import { z } from 'zod'
import { withEvent } from '../../git/outcomes.ts'
import { setUpMessage } from '../../git/set-up.ts'
import { bodyHmac, integration, optional, postMessages, text, unsupported } from '../../writing.ts'
import { options, type Translator } from './delivery.ts'
import {
  needsWork,
  pullRequestChanged,
  pullRequestCommented,
  pullRequestWritten,
  reviewersChanged,
} from './pull-requests.ts'
import { refsChanged } from './push.ts'
import { commitCommented, repositoryForked, repositoryModified } from './repositories.ts'

const eventHeader = 'X-Event-Key'

const ping: Translator = () =>
  postMessages({ topic: 'Bitbucket Server Ping', content: setUpMessage('Bitbucket Server') })

const translators: ReadonlyMap<string, Translator> = new Map([
  ['diagnostics:ping', ping],
  ['repo:refs_changed', refsChanged],
  ['repo:comment:added', commitCommented('commented')],
  ['repo:comment:edited', commitCommented('edited')],
  ['repo:comment:deleted', commitCommented('deleted')],
  ['repo:forked', repositoryForked],
  ['repo:modified', repositoryModified],
  ['pr:opened', pullRequestWritten('opened')],
  ['pr:modified', pullRequestWritten('modified')],
  ['pr:from_ref_updated', pullRequestChanged('pushed to')],
  ['pr:merged', pullRequestChanged('merged')],
  ['pr:declined', pullRequestChanged('declined')],
  ['pr:deleted', pullRequestChanged('deleted')],
  ['pr:reviewer:approved', pullRequestChanged('approved')],
  ['pr:reviewer:unapproved', pullRequestChanged('unapproved')],
  ['pr:reviewer:needs_work', needsWork],
  ['pr:reviewer:changes_requested', needsWork],
  ['pr:reviewer:updated', reviewersChanged],
  ['pr:comment:added', pullRequestCommented('commented')],
  ['pr:comment:edited', pullRequestCommented('edited')],
  ['pr:comment:deleted', pullRequestCommented('deleted')],
])

export const service = integration({
  title: 'Bitbucket Server',
  nameInErrors: 'BitBucket Server',
  client: 'Bitbucket3',
  category: 'Version control',
  signature: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
  // Tests of the connection can be recognized only by this header.
  eventHeader: { name: eventHeader, isOptional: true },
  deliveryId: { header: 'X-Request-Id' },
  events: [...translators.keys()],
  options,
  escapesTwice: true,
  payload: z.looseObject({ eventKey: optional(text) }),
  translate(delivery) {
    const key = delivery.payload.eventKey ?? delivery.event
    if (key === '') return { kind: 'refused', reason: { header: eventHeader } }
    const translator = translators.get(key)
    return translator ? withEvent(translator(delivery), key) : unsupported(key)
  },
})
