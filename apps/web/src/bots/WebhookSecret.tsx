import type { Bot } from '@oxbow/contract'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { missingField, useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'
import { changeWebhookSecret } from './webhooks.ts'

/** The forms that set and remove the secret with which services sign deliveries. */
export function WebhookSecret({ bot }: { bot: Bot }) {
  const form = useForm<'secret'>({
    async submit({ secret }, element) {
      if (secret.trim() === '') throw missingField('SECRET_MISSING')
      await changeWebhookSecret(bot, secret.trim())
      // The page keeps no secret that the server has.
      element.reset()
      return t('webhook.secret_saved')
    },
    findProblems: ({ name, reason }) => ({
      secret: name === 'SECRET_MISSING' ? t('webhook.secret_missing') : reason,
    }),
  })
  const removal = useForm<never>({
    async submit() {
      await changeWebhookSecret(bot, '')
      return t('webhook.secret_removed')
    },
    findProblems: () => undefined,
  })
  return (
    <Group title={t('webhook.signed')} hint={t('webhook.secret_hint')}>
      <form class="Group" {...form.attributes}>
        <Field label={t('webhook.secret')} problem={form.problems.secret}>
          <input type="text" name="secret" autocomplete="off" spellcheck={false} dir="ltr" />
        </Field>
        <FormEnd form={form} action={t('webhook.secret_save')} />
      </form>
      <form {...removal.attributes}>
        <FormEnd form={removal} action={t('webhook.secret_remove')} look="quiet" />
      </form>
    </Group>
  )
}
