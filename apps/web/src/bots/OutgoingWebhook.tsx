import type { Bot } from '@oxbow/contract'
import type { OutgoingService } from '../client/account/own-bots.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { Secret } from '../frame/Secret.tsx'
import { useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { Notice } from '../ui/Notice.tsx'
import { changeBot, fetchBotToken } from './change-bot.ts'
import { explainUrl, PayloadFields, readPayloadForm } from './PayloadFields.tsx'
import { useSecret } from './use-secret.ts'

export interface OutgoingWebhookProps {
  bot: Bot
  service: OutgoingService
}

/** URL, payload form and token of an outgoing webhook. */
export function OutgoingWebhook({ bot, service }: OutgoingWebhookProps) {
  const form = useForm<'payload_url' | 'payload_form'>({
    async submit({ payload_url, payload_form }) {
      await changeBot(bot, {
        service_payload_url: payload_url.trim(),
        service_interface: readPayloadForm(payload_form),
      })
      return t('bots.calls_saved')
    },
    findProblems(refusal) {
      const payload_url = explainUrl(refusal)
      return payload_url === undefined ? undefined : { payload_url }
    },
  })
  const token = useSecret(
    () => fetchBotToken(bot),
    (event) => event.bot.user_id === bot.user_id && 'services' in event.bot,
  )
  return (
    <>
      <Group title={t('bots.calls')} hint={t('bots.calls_hint')}>
        <form class="Group" {...form.attributes}>
          <PayloadFields service={service} problem={form.problems.payload_url} />
          <FormEnd form={form} action={t('bots.calls_save')} />
        </form>
      </Group>
      <Group title={t('bots.token')} hint={t('bots.token_hint')}>
        {token.problem !== undefined && <Notice look="danger">{token.problem}</Notice>}
        <Secret
          value={token.value}
          action={t('bots.token_show')}
          copyLabel={t('bots.token_copy')}
          onShow={() => void token.show()}
          onHide={token.hide}
        />
      </Group>
    </>
  )
}
