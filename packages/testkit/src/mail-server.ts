import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { eventually } from './eventually.ts'

export interface ReceivedEmail {
  to: string
  text: string
}

export interface MailServer extends AsyncDisposable {
  /** Value for the setting `smtp_url`. */
  url: string
  emails: ReceivedEmail[]
  /** Whether it refuses e-mails after receiving them. */
  isRefusing: boolean
  /** Answers to senders and recipients, as code and text, in place of accepting them. */
  refusals: { from?: [number, string]; to?: [number, string] }
  /** Users, senders and recipients that clients named, in order, and `data` for each e-mail. */
  heard: string[]
  /** Waits for an e-mail to this address, and returns the newest one. */
  waitForEmail(address: string): Promise<ReceivedEmail>
}

/** Starts an SMTP server that stores every e-mail it receives. */
export async function startMailServer(): Promise<MailServer> {
  const emails: ReceivedEmail[] = []
  const heard: string[] = []
  const toError = (refusal: [number, string] | undefined) =>
    refusal && Object.assign(new Error(refusal[1]), { responseCode: refusal[0] })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username = '' }, _session, done) {
      heard.push(`user ${username}`)
      done(null, { user: username })
    },
    onMailFrom({ address }, _session, done) {
      heard.push(`from ${address}`)
      done(toError(mailServer.refusals.from))
    },
    onRcptTo({ address }, _session, done) {
      heard.push(`to ${address}`)
      done(toError(mailServer.refusals.to))
    },
    onData(data, session, done) {
      heard.push('data')
      const chunks: Buffer[] = []
      data.on('data', (chunk: Buffer) => chunks.push(chunk))
      data.on('end', () => {
        // Decodes the line breaks and equals signs of quoted-printable.
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
        if (mailServer.isRefusing) return done(new Error('the mailbox is full'))
        emails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    isRefusing: false,
    refusals: {},
    heard,
    waitForEmail: (address) => eventually(() => emails.findLast(({ to }) => to === address)),
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(closed)),
  }
  return mailServer
}
