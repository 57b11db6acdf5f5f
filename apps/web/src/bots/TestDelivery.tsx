import type { Bot } from '@oxbow/contract'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { buildWebhookUrl, type Destination } from './webhook-url.ts'
import { type Integration, sendTestDelivery } from './webhooks.ts'

export interface TestDeliveryProps {
  bot: Bot
  integration: Integration
  destination: Destination
}

/** A button that posts a greeting to a destination by a real delivery. */
export function TestDelivery({ bot, integration, destination }: TestDeliveryProps) {
  const form = useForm<never>({
    async submit() {
      const helloWorld = new URL('helloworld', integration.url).href
      const to = { ...destination, only_events: undefined }
      await sendTestDelivery(bot, buildWebhookUrl({ url: helloWorld, auth: 'basic' }, to, undefined))
      return t('webhook.test_sent')
    },
    findProblems: () => undefined,
  })
  return (
    <Group title={t('webhook.test')} hint={t('webhook.test_hint')}>
      <form {...form.attributes}>
        <FormEnd form={form} action={t('webhook.test')} look="quiet" />
      </form>
    </Group>
  )
}
