import type { WebhookFailure } from '@oxbow/contract'
import type { ComponentChildren } from 'preact'
import { formatSize } from '../client/formats/sizes.ts'
import { t } from '../text/t.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { formatBody, formatFields, formatHeaders, type ShownText } from './format-delivery.ts'

/** The content of a refused delivery. Everything in it may be hostile, and is shown as text. */
export function FailureDetail({ failure }: { failure: WebhookFailure }) {
  const { query, headers, body, body_bytes } = failure
  const bodyTitle = t('webhook.body', { size: formatSize(body_bytes) })
  return (
    <div class="FailureDetail">
      {query !== '' && <Part title={t('webhook.query')} shown={formatFields(query)} />}
      {Object.keys(headers).length > 0 && (
        <Part title={t('webhook.headers')} shown={formatHeaders(headers)} />
      )}
      {body === '' ? (
        <Part title={bodyTitle}>
          <p class="Failures-hint">{body_bytes > 0 ? t('webhook.body_missing') : t('webhook.body_empty')}</p>
        </Part>
      ) : (
        <Part title={bodyTitle} shown={formatBody(body, headers['content-type'])}>
          <CopyButton text={body} label={t('webhook.copy_body')} />
        </Part>
      )}
    </div>
  )
}

function Part({
  title,
  shown,
  children,
}: {
  title: string
  shown?: ShownText
  children?: ComponentChildren
}) {
  return (
    <section class="FailureDetail-part">
      <h3 class="FailureDetail-title">{title}</h3>
      {shown && (
        <pre class="FailureDetail-text" dir="ltr">
          {shown.text}
        </pre>
      )}
      {shown?.isCut && <p class="Failures-hint">{t('webhook.cut')}</p>}
      {children}
    </section>
  )
}
