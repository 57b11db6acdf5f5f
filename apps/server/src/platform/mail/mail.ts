import { ApiError } from '@oxbow/contract'
import type { App } from '../app.ts'
import type { Config } from '../config/settings.ts'
import { traced } from '../observe/tracing/tracing.ts'
import { perNode } from '../per-node.ts'
import type { MailText } from './mail-text.ts'

export interface Mail {
  to: string
  subject: MailText
  text: MailText
}

/** Whether mail can be sent. Links need `external_url`, because the host of a request can be forged. */
export const canSendMail = ({ config }: Pick<App, 'config'>): boolean =>
  config.smtp_url !== undefined && config.external_url !== undefined

/** Throws, for a request that would send mail, if `smtp_url` is set and `external_url` is not. */
export function refuseMailWithoutUrl({ config, log }: Pick<App, 'config' | 'log'>): void {
  if (!isMailWithoutUrl(config)) return
  log.error(missingExternalUrlMessage)
  throw new ApiError('MAIL_NEEDS_EXTERNAL_URL')
}

/** Whether `smtp_url` is set without `external_url`, which links in e-mails need. */
export const isMailWithoutUrl = ({ smtp_url, external_url }: Config): boolean =>
  smtp_url !== undefined && external_url === undefined

export const missingExternalUrlMessage =
  'no mail is sent: set OXBOW_EXTERNAL_URL to the URL of this server, like https://chat.example.com, and restart it'

/** When this node last sent an e-mail, in milliseconds of `performance.now()`. */
const getLastSent = perNode<{ atMs?: number }>({ name: 'time of the last e-mail', create: () => ({}) })

/** Returns the seconds since this node last sent an e-mail; undefined if it has sent none. */
export function secondsSinceMail(app: App): number | undefined {
  const { atMs } = getLastSent(app)
  return atMs === undefined ? undefined : (performance.now() - atMs) / 1_000
}

/**
 * Sends an e-mail now. Call it from a job, which is retried while the mail server is unavailable.
 */
export async function sendMail(app: App, { to, subject, text }: Mail): Promise<void> {
  const { config, metrics, tracing } = app
  // The job is retried until the operator has set `external_url`.
  if (config.external_url === undefined) throw new Error(missingExternalUrlMessage)
  // Loaded on demand: most nodes never send mail.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.smtp_url)
  try {
    await traced(tracing, { name: 'send mail', kind: 'client' }, () =>
      transport.sendMail({
        from: config.mail_from,
        to: { name: '', address: to },
        subject: subject.text,
        text: text.text,
      }),
    )
    metrics.mails.inc({ outcome: 'sent' })
    getLastSent(app).atMs = performance.now()
  } catch (error) {
    metrics.mails.inc({ outcome: 'failed' })
    throw error
  } finally {
    transport.close()
  }
}
