import { withEvent } from '../../git/outcomes.ts'
import { integration, unsupported } from '../../writing.ts'
import { options, payload, type Translator } from './delivery.ts'
import { pullRequestCreated, pullRequestMerged, pullRequestUpdated } from './pull-requests.ts'
import { push } from './push.ts'

const translators: ReadonlyMap<string, Translator> = new Map([
  ['git.push', push],
  ['git.pullrequest.created', pullRequestCreated],
  ['git.pullrequest.updated', pullRequestUpdated],
  ['git.pullrequest.merged', pullRequestMerged],
])

export const service = integration({
  title: 'Azure DevOps',
  nameInErrors: 'AzureDevOps',
  client: 'AzureDevOps',
  category: 'Version control',
  // Notification ids are unique only within a subscription.
  deliveryId: ({ subscriptionId, notificationId }) =>
    subscriptionId && notificationId ? `${subscriptionId}/${notificationId}` : undefined,
  events: [...translators.keys()],
  options,
  payload,
  translate(delivery) {
    const { eventType } = delivery.payload
    const translator = translators.get(eventType)
    return translator ? withEvent(translator(delivery), eventType) : unsupported(eventType)
  },
})
