import type { App } from './app.ts'

/**
 * Signs in to the mail server once and logs a warning if that fails, so that the operator learns of the
 * problem before a user waits for an e-mail. The node starts in any case, and its e-mails wait as jobs until
 * the mail server accepts them.
 */
export async function checkMailServer({ config, log }: Pick<App, 'config' | 'log'>): Promise<void> {
  if (config.smtp_url === undefined) return
  const reason = await tryMailServer(config.smtp_url)
  if (reason) log.warn({ reason }, 'no mail can be sent: the mail server of smtp_url cannot be used')
}

/** Signs in to the mail server. Returns the reason of a failure; undefined on success. */
export async function tryMailServer(url: string): Promise<string | undefined> {
  try {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000 })
    try {
      await transport.verify()
    } finally {
      transport.close()
    }
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
