import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { eventually } from './eventually.ts'

export interface Letter {
  to: string
  text: string
}

export interface MailServer extends AsyncDisposable {
  /** For the setting `smtp_url`. */
  url: string
  letters: Letter[]
  /** Waits for a letter to this address, the latest if there are several. */
  letterTo(address: string): Promise<Letter>
}

/** A real mail server that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const letters: Letter[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(data, session, done) {
      const chunks: Buffer[] = []
      data.on('data', (chunk: Buffer) => chunks.push(chunk))
      data.on('end', () => {
        // Lines that were too long for mail are joined again.
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
        letters.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    letterTo: (address) => eventually(() => letters.findLast(({ to }) => to === address)),
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(closed)),
  }
}
