import type { Bot } from '@oxbow/contract'
import { Group } from '../frame/Group.tsx'
import { Secret } from '../frame/Secret.tsx'
import { t } from '../text/t.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useBotKey } from './use-secret.ts'
import { buildWebhookUrl, type Destination } from './webhook-url.ts'
import type { Integration } from './webhooks.ts'

export interface ShownUrlProps {
  bot: Bot
  integration: Integration
  destination: Destination
}

/** The values to enter at a service: the URL, and for HTTP Basic the address and the key of the bot. */
export function ShownUrl({ bot, integration, destination }: ShownUrlProps) {
  const key = useBotKey(bot)
  const url = buildWebhookUrl(integration, destination, key.value)
  const reveal = { onShow: () => void key.show(), onHide: key.hide }
  const problem = key.problem !== undefined && <Notice look="danger">{key.problem}</Notice>
  if (integration.auth === 'url')
    return (
      <Group title={t('bots.url')} hint={t('webhook.url_hint')}>
        {problem}
        <Secret
          {...reveal}
          value={key.value === undefined ? undefined : url}
          action={t('webhook.url_show')}
          copyLabel={t('webhook.url_copy')}
        />
      </Group>
    )
  return (
    <Group title={t('bots.url')} hint={t('webhook.basic_hint')}>
      <div class="Secret">
        <code class="Secret-value" dir="ltr">
          {url}
        </code>
        <CopyButton text={url} label={t('webhook.url_copy')} />
      </div>
      <div class="BotView-address">
        <bdi>{bot.email}</bdi>
        <CopyButton text={bot.email} label={t('bots.address_copy')} />
      </div>
      {problem}
      <Secret {...reveal} value={key.value} action={t('api_key.show')} copyLabel={t('api_key.copy')} />
    </Group>
  )
}
