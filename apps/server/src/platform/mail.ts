import { ApiError } from '@oxbow/contract'
import type { App } from './app.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Links in mail lead to `external_url`: the host of a request is what its caller says it is. */
export const canSendMail = ({ config }: Pick<App, 'config'>): boolean =>
  config.smtp_url !== undefined && config.external_url !== undefined

/** Refuses a call that would mail something where the operator set a mail server, but not where this server is. */
export function refuseMailWithoutUrl({ config, log }: Pick<App, 'config' | 'log'>): void {
  if (config.smtp_url === undefined || config.external_url !== undefined) return
  log.error(withoutUrl)
  throw new ApiError('MAIL_NEEDS_EXTERNAL_URL')
}

const withoutUrl =
  'no mail is sent: set OXBOW_EXTERNAL_URL to the URL of this server, like https://chat.example.com, and restart it'

/** Sends now; call it from a job, which tries again when the mail server is away. */
export async function sendMail({ config }: Pick<App, 'config'>, mail: Mail): Promise<void> {
  // The job is tried again until the operator has set it.
  if (config.external_url === undefined) throw new Error(withoutUrl)
  // Most nodes of a small team never send any.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.smtp_url)
  try {
    await transport.sendMail({ from: config.mail_from, ...mail })
  } finally {
    transport.close()
  }
}
