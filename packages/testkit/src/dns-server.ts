import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { makeResolveHost, type ResolveHost } from '@oxbow/server'

/**
 * Returns the addresses of a name, or undefined if the server should not answer. Addresses of the
 * other type are left out of the answer.
 */
export type DnsAnswers = (hostname: string, type: 'A' | 'AAAA') => readonly string[] | undefined

export interface DnsServer extends AsyncDisposable {
  /** Queries this server by UDP, as a node queries the name servers of its machine. */
  readonly resolveHost: ResolveHost
  /** Names of all queries of type A. */
  readonly questions: readonly string[]
}

const typeA = 1
const typeCname = 5
const typeAaaa = 28

/**
 * Starts a name server. If the result begins with another name, like `['other.example',
 * '10.0.0.1']`, the answer is an alias (CNAME) with the addresses of that name.
 */
export async function startDnsServer(responses: DnsAnswers): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (packet, { port, address }) => {
    const { name, type, end } = readQuestion(packet)
    if (type === typeA) questions.push(name)
    const found = responses(name, type === typeAaaa ? 'AAAA' : 'A')
    // If there is no answer, the resolver must time out.
    if (found) socket.send(encodeDnsAnswer(packet.subarray(0, end), type, found), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  return {
    resolveHost: makeResolveHost([`127.0.0.1:${port}`]),
    questions,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (packet[at]) {
    const length = packet[at] ?? 0
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 }
}

function encodeDnsAnswer(question: Buffer, type: number, found: readonly string[]): Buffer {
  const isOfType = (address: string) => address.includes(':') === (type === typeAaaa)
  const alias = found.find((record) => /[g-z]/i.test(record))
  // A pointer to the name in the question, which follows the header.
  const owner = alias ? writeName(alias) : Buffer.from([0xc0, 12])
  const records = [
    ...(alias ? [writeRecord(Buffer.from([0xc0, 12]), typeCname, writeName(alias))] : []),
    ...found
      .filter((record) => record !== alias && isOfType(record))
      .map((address) => writeRecord(owner, type, writeAddress(address))),
  ]
  const header = Buffer.from(question)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, ...records])
}

function writeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  // The lifetime stays 0, so that every query reaches this server.
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

const writeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ])

function writeAddress(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  // A dotted ending, as in ::ffff:10.0.0.1, becomes two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (part = '') => part.split(':').filter((group) => group !== '')
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  const bytes = Buffer.alloc(16)
  const groups = [...before, ...zeros, ...after]
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  return bytes
}
