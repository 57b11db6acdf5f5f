import { BotInterface } from '@oxbow/contract/plain'
import type { OutgoingService } from '../client/account/own-bots.ts'
import type { Refusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'
import { listPayloadForms } from './bot-types.ts'

export interface PayloadFieldsProps {
  /** The current values; undefined for a new bot. */
  service?: OutgoingService
  problem: string | undefined
}

/** The fields of a form for the URL of an outgoing webhook and the form in which it is called. */
export function PayloadFields({ service, problem }: PayloadFieldsProps) {
  const current = service?.interface ?? BotInterface.json
  return (
    <>
      <Field label={t('bots.url')} hint={t('bots.url_hint')} problem={problem}>
        <input
          type="url"
          name="payload_url"
          autocomplete="off"
          dir="ltr"
          defaultValue={service?.base_url ?? ''}
        />
      </Field>
      <Field label={t('bots.form')} hint={t('bots.form_hint')}>
        <select name="payload_form">
          {listPayloadForms().map(({ value, text }) => (
            <option key={value} value={value} selected={value === current}>
              {text}
            </option>
          ))}
        </select>
      </Field>
    </>
  )
}

/** Returns the payload form that a value of the field names. */
export const readPayloadForm = (value: string): BotInterface =>
  Number(value) === BotInterface.form ? BotInterface.form : BotInterface.json

/**
 * Returns the error message for the URL of a webhook; undefined for refusals that concern something else.
 * The server has no separate error for it.
 */
export function explainUrl({ name, reason }: Refusal): string | undefined {
  if (name !== 'BAD_REQUEST' || !reason.includes('payload_url')) return undefined
  return reason.includes('is not a URL') ? t('bots.url_problem') : reason
}
