import type { MessageId } from '@oxbow/contract'
import type { Signal } from '@preact/signals'
import { peekMessage } from '../client/messages/windows.ts'
import { nameOf } from '../client/people/names.ts'
import { readLine } from '../message-text/read-line.ts'
import { t } from '../text/t.ts'

/**
 * Messages are collected for this long, so that a listener can follow the announcements of a busy
 * conversation.
 */
const gatherMs = 2_000
/** Maximum number of messages that are read out; if there are more, only their number is. */
const maxRead = 3

/** Writes a text about arriving messages into a signal, for screen readers. */
export class Announcements {
  readonly #spoken: Signal<string>
  readonly #waiting = new Set<MessageId>()
  #last: MessageId | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(spoken: Signal<string>) {
    this.#spoken = spoken
  }

  /** Adds messages, oldest first. Messages that were announced before are skipped. */
  add(ids: readonly MessageId[]): void {
    for (const id of ids) if (this.#last === undefined || id > this.#last) this.#waiting.add(id)
    const newest = ids.at(-1)
    if (newest !== undefined && (this.#last === undefined || newest > this.#last)) this.#last = newest
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#say(), gatherMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #say(): void {
    const ids = [...this.#waiting]
    this.#waiting.clear()
    this.#timer = undefined
    this.#spoken.value =
      ids.length > maxRead ? t('messages.arrived', { count: ids.length }) : ids.map(describe).join(' ')
  }
}

function describe(id: MessageId): string {
  const message = peekMessage(id)
  if (!message) return ''
  return t('messages.announced', { name: nameOf(message.sender_id), text: readLine(message.content) })
}
