import { anything, bodyHmac, integration } from '../../writing.ts'
import { options } from '../gogs/delivery.ts'
import { pullRequestReviewed } from '../gogs/pull-requests.ts'
import { translators as shared, translateWith } from '../gogs/translators.ts'

/** Gitea is a fork of Gogs, and adds reviews. */
const translators = new Map([
  ...shared,
  ['pull_request_approved', pullRequestReviewed('approved')],
  ['pull_request_rejected', pullRequestReviewed('requested changes to')],
  ['pull_request_comment', pullRequestReviewed('reviewed')],
])

export const service = integration({
  title: 'Gitea',
  nameInErrors: 'Gogs',
  client: 'Gitea',
  category: 'Version control',
  signature: bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
  eventHeader: { name: 'X-Gitea-Event' },
  deliveryId: { header: 'X-Gitea-Delivery' },
  events: [...translators.keys()],
  options,
  payload: anything,
  translate: (delivery) => translateWith(translators, delivery),
})
