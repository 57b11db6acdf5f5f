import { BotType } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import { listCreatableTypes } from '../client/account/own-bots.ts'
import { botDomain, isGuest } from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { useForm } from '../frame/use-form.ts'
import type { Refusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Choices } from '../ui/Choices.tsx'
import { Field } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { describeBotType, nameBotType } from './bot-types.ts'
import { createBot } from './change-bot.ts'
import { explainUrl, PayloadFields, readPayloadForm } from './PayloadFields.tsx'

/** The form that creates a bot, or the reason why the user may not create one. */
export function NewBot() {
  const types = listCreatableTypes()
  const [first] = types
  return (
    <Group title={t('bots.new')} hint={first && t('bots.new_hint')}>
      {first === undefined ? (
        <Notice>{isGuest.value ? t('bots.refused_guest') : t('bots.refused')}</Notice>
      ) : (
        <NewBotForm types={types} first={first} />
      )}
    </Group>
  )
}

interface NewBotFormProps {
  types: readonly BotType[]
  first: BotType
}

function NewBotForm({ types, first }: NewBotFormProps) {
  const chosen = useSignal(first)
  // The policy of the organization may change while the form is open.
  const type = types.includes(chosen.value) ? chosen.value : first
  const isOutgoing = type === BotType.outgoingWebhook
  const form = useForm<'full_name' | 'short_name' | 'payload_url' | 'payload_form'>({
    async submit({ full_name, short_name, payload_url, payload_form }) {
      await createBot({
        full_name: full_name.trim(),
        short_name: short_name.trim(),
        bot_type: type,
        ...(isOutgoing && { payload_url: payload_url.trim(), interface_type: readPayloadForm(payload_form) }),
      })
      return undefined
    },
    findProblems: explain,
  })
  return (
    <form class="Group" {...form.attributes}>
      <Choices
        label={t('bots.type')}
        choices={types.map((value) => ({
          value,
          text: nameBotType(value),
          hint: describeBotType(value),
        }))}
        value={type}
        onChange={(value) => {
          chosen.value = value
        }}
      />
      {!types.includes(BotType.generic) && <Notice>{t('bots.only_webhooks')}</Notice>}
      <Field label={t('profile.full_name')} hint={t('bots.name_hint')} problem={form.problems.full_name}>
        <input type="text" name="full_name" autocomplete="off" />
      </Field>
      <Field
        label={t('bots.short_name')}
        hint={t('bots.short_name_hint', { example: `herald-bot@${botDomain.value ?? ''}` })}
        problem={form.problems.short_name}
      >
        <input type="text" name="short_name" autocomplete="off" autocapitalize="off" spellcheck={false} />
      </Field>
      {isOutgoing && <PayloadFields problem={form.problems.payload_url} />}
      <FormEnd form={form} action={t('bots.create')} />
    </form>
  )
}

/** Returns the error message for a field; undefined for refusals that concern the whole form. */
function explain(
  refusal: Refusal,
): { full_name: string } | { short_name: string } | { payload_url: string } | undefined {
  const { name = '', reason } = refusal
  if (name.startsWith('NAME_')) return { full_name: reason }
  if (name === 'BAD_EMAIL') return { short_name: t('bots.short_name_problem') }
  if (name === 'USERNAME_IN_USE') return { short_name: t('bots.short_name_taken') }
  const payload_url = explainUrl(refusal)
  return payload_url === undefined ? undefined : { payload_url }
}
