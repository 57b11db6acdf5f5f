import type { App } from './app.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

export const canSendMail = ({ config }: Pick<App, 'config'>): boolean => config.smtp_url !== undefined

/** Sends now; call it from a job, which tries again when the mail server is away. */
export async function sendMail({ config }: Pick<App, 'config'>, mail: Mail): Promise<void> {
  // Most nodes of a small team never send any.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.smtp_url)
  try {
    await transport.sendMail({ from: config.mail_from, ...mail })
  } finally {
    transport.close()
  }
}
