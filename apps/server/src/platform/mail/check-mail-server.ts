import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { App } from '../app.ts'

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }

/**
 * Signs in to the mail server once and logs a warning if that fails, so that the operator learns of the
 * problem before a user waits for an e-mail. The node starts in any case, and its e-mails wait as jobs until
 * the mail server accepts them.
 */
export async function checkMailServer({ config, log }: Pick<App, 'config' | 'log'>): Promise<void> {
  if (config.smtp_url === undefined) return
  const refusal = await tryMailServer(config.smtp_url)
  if (refusal)
    log.warn({ reason: refusal.reason }, 'no mail can be sent: the mail server of smtp_url cannot be used')
}

/** Why a mail server cannot be used. */
export interface MailRefusal {
  /** The step that failed: connecting and signing in, or naming the sender or the recipient of an e-mail. */
  step: 'connect' | 'sender' | 'recipient'
  reason: string
  /** Whether the server asks to try again later. */
  isTemporary: boolean
}

/** The addresses of an e-mail, without names. */
export interface Envelope {
  from: string
  /** Undefined to name no recipient. */
  to: string | undefined
}

/**
 * Signs in to the mail server. With an envelope, also names the sender and the recipient of an e-mail, and
 * then sends none. Returns the reason of a failure; undefined on success.
 */
export async function tryMailServer(url: string, envelope?: Envelope): Promise<MailRefusal | undefined> {
  let connection: SMTPConnection | undefined
  try {
    const { createTransport } = await import('nodemailer')
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    // The transport parses the URL.
    const { options } = createTransport({ url, ...timeouts })
    connection = new Connection(options as SMTPConnection.Options)
    await signIn(connection)
    return envelope && (await tryEnvelope(connection, envelope))
  } catch (error) {
    return { step: 'connect', reason: (error as Error).message, isTemporary: false }
  } finally {
    connection?.close()
  }
}

async function signIn(connection: SMTPConnection): Promise<void> {
  const failed = once(connection, 'error').then(([error]) => {
    throw error
  })
  const connected = new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  )
  await Promise.race([connected, failed])
  const { auth } = connection.options as { auth?: SMTPConnection.Credentials }
  if (!auth) return
  const signedIn = new Promise<void>((resolve, reject) =>
    connection.login(auth, (error) => (error ? reject(error) : resolve())),
  )
  await Promise.race([signedIn, failed])
}

/**
 * Names the addresses of an e-mail. nodemailer names them only together with a message, so this function
 * continues the conversation on the socket itself.
 */
async function tryEnvelope(
  connection: SMTPConnection,
  { from, to }: Envelope,
): Promise<MailRefusal | undefined> {
  const { _socket: socket } = connection
  if (!socket) throw new Error('the mail server closed the connection')
  socket.removeAllListeners('data')
  const lines = createInterface({ input: socket, signal: AbortSignal.timeout(timeouts.socketTimeout) })[
    Symbol.asyncIterator
  ]()
  const ask = async (command: string): Promise<string> => {
    socket.write(`${command}\r\n`)
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done) throw new Error('the mail server did not answer')
      // All lines of an answer but the last have a hyphen after the code.
      if (/^\d{3}(?: |$)/.test(line)) return line
    }
  }
  const refuse = (step: MailRefusal['step'], reason: string) =>
    reason.startsWith('2') ? undefined : { step, reason, isTemporary: reason.startsWith('4') }
  const refusal =
    refuse('sender', await ask(`MAIL FROM:<${from}>`)) ??
    (to === undefined ? undefined : refuse('recipient', await ask(`RCPT TO:<${to}>`)))
  await ask('RSET')
  await ask('QUIT')
  return refusal
}
