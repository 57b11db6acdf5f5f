import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { PollOrder, PollReport, Waits } from './polling-clients.ts'

// Sends thousands of polls from one process. It must use less processor time than the measured
// server, so it uses plain sockets: requests are prepared in advance, and only the status, the
// length and the last id of a response are read.

const chunk = Buffer.allocUnsafeSlow(65_536)
const maxConcurrentConnects = 100

let answered = 0
let roundSize = 0
const sockets: Socket[] = []
const failures: string[] = []
let waits: Waits = noWaits()
/** Counts how often the waits were requested. */
let period = 0

function noWaits(): Waits {
  return { polls: 0, heartbeats: 0, shortest: Number.POSITIVE_INFINITY, longest: 0 }
}

const report = (message: PollReport) => process.send?.(message)

function recordWait(sentAt: number, isFirst: boolean, text: string): void {
  const wait = performance.now() - sentAt
  if (isFirst) waits.polls++
  if (text.includes('"heartbeat"')) waits.heartbeats++
  waits.shortest = Math.min(waits.shortest, wait)
  waits.longest = Math.max(waits.longest, wait)
}

async function openPoll(port: number, host: string, poll: PollOrder['polls'][number]): Promise<void> {
  const before = `GET /api/v1/events?queue_id=${poll.queue_id}&last_event_id=`
  const after = ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${poll.authorization}\r\n\r\n`
  let cursor = poll.last_event_id
  let partial = ''
  let sentAt = 0
  let recordedPeriod = -1

  const send = () => {
    sentAt = performance.now()
    socket.write(before + cursor + after, 'latin1')
  }
  const read = (length: number): boolean => {
    const text = partial + chunk.toString('latin1', 0, length)
    const start = text.indexOf('\r\n\r\n') + 4
    const isComplete = start > 3 && text.length >= start + Number(/content-length: (\d+)/i.exec(text)?.[1])
    partial = isComplete ? '' : text
    if (!isComplete) return true
    if (!text.startsWith('HTTP/1.1 200')) failures.push(text)
    cursor = Number.parseInt(text.slice(text.lastIndexOf('"id":') + 5), 10)
    recordWait(sentAt, recordedPeriod < period, text)
    recordedPeriod = period
    send()
    if (++answered === roundSize) finishRound()
    return true
  }
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: chunk, callback: read },
  })
  socket.on('error', (error) => failures.push(error.message))
  socket.on('end', () => failures.push('the server closed the connection'))
  await once(socket, 'connect')
  sockets.push(socket)
  send()
}

function finishRound(): void {
  answered -= roundSize
  report({ kind: 'round', failures })
}

async function open({ port, polls }: PollOrder): Promise<void> {
  const host = `127.0.0.1:${port}`
  roundSize += polls.length
  for (let index = 0; index < polls.length; index += maxConcurrentConnects) {
    await Promise.all(
      polls.slice(index, index + maxConcurrentConnects).map((poll) => openPoll(port, host, poll)),
    )
  }
  report({ kind: 'open', failures })
}

process.on('message', (order: PollOrder | 'waits') => {
  if (order !== 'waits') void open(order)
  else {
    report({ kind: 'waits', failures, waits })
    waits = noWaits()
    period++
  }
})
process.on('disconnect', () => process.exit())
