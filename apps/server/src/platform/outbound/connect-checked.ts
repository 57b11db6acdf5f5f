import type { LookupAddress } from 'node:dns'
import { isIP, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { AddressRules } from './address-rules.ts'
import { OutboundRefusal } from './outbound-refusal.ts'

type BuildConnector = typeof buildConnector

/**
 * Returns a connector that connects only to these addresses, even if the name server returns others by then,
 * and checks the address of the peer once more. `opened` is called with each new socket.
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
      callback(new OutboundRefusal('address refused'), null)
    }) as unknown as Socket
    opened(socket)
  }
}
