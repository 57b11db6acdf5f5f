import { ApiError } from '@oxbow/contract'
import type { App } from './app.ts'
import type { Config } from './config/settings.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/**
 * Whether mail can be sent. Needs `external_url` for links, because the host of a request can be
 * forged.
 */
export const canSendMail = ({ config }: Pick<App, 'config'>): boolean =>
  config.smtp_url !== undefined && config.external_url !== undefined

/** Refuses a request that would send mail if `smtp_url` is set and `external_url` is not. */
export function refuseMailWithoutUrl({ config, log }: Pick<App, 'config' | 'log'>): void {
  if (!isMailWithoutUrl(config)) return
  log.error(withoutUrl)
  throw new ApiError('MAIL_NEEDS_EXTERNAL_URL')
}

/** Whether a mail server is set, but no URL that links in e-mails could begin with. */
export const isMailWithoutUrl = ({ smtp_url, external_url }: Config): boolean =>
  smtp_url !== undefined && external_url === undefined

export const withoutUrl =
  'no mail is sent: set OXBOW_EXTERNAL_URL to the URL of this server, like https://chat.example.com, and restart it'

/** Removes line breaks from a name, because a subject must be one line. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

/** Returns the text of an e-mail with an empty line between its paragraphs. */
export const paragraphs = (...texts: string[]): string => `${texts.join('\n\n')}\n`

/**
 * Sends an e-mail now. Call it from a job, which is retried while the mail server is unavailable.
 */
export async function sendMail({ config }: Pick<App, 'config'>, mail: Mail): Promise<void> {
  // The job is retried until the operator has set it.
  if (config.external_url === undefined) throw new Error(withoutUrl)
  // Loaded on demand: most nodes never send mail.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.smtp_url)
  try {
    await transport.sendMail({ from: config.mail_from, ...mail })
  } finally {
    transport.close()
  }
}
