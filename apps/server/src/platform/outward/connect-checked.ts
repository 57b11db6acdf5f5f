import type { LookupAddress } from 'node:dns'
import { isIP, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { AddressRules } from './address-rules.ts'
import { OutwardRefusal } from './outward-refusal.ts'

type BuildConnector = typeof buildConnector

/**
 * Returns a connector that connects only to these addresses, whatever a name server says by then, and
 * checks the address of the peer once more. `opened` receives each socket at once.
 */
export function connectChecked(
  build: BuildConnector,
  addresses: readonly string[],
  rules: AddressRules,
  opened: (socket: Socket) => void,
): buildConnector.connector {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }))
  const connect = build({
    lookup: (_hostname, options, callback) => {
      const [first] = found
      if (options.all) callback(null, found)
      else callback(null, first?.address ?? '', first?.family)
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    allowH2: false,
    maxCachedSessions: 0,
  })
  return (options, callback) => {
    const socket = connect(options, (...[error, connected]: Parameters<buildConnector.Callback>) => {
      if (error) return callback(error, null)
      if (connected && rules.isAllowed(connected.remoteAddress ?? '')) return callback(null, connected)
      connected?.destroy()
      callback(new OutwardRefusal('address refused'), null)
    }) as unknown as Socket
    opened(socket)
  }
}
