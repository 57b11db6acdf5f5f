const windows = 'packages/sdk/src/windows'

/** A change of the source code that makes windows wrong. */
export interface Breakage {
  file: string
  /** Text that occurs in the file exactly once. */
  find: string
  replace: string
}

/** Breakages that generated histories must detect. */
export const windowBreakages: Readonly<Record<string, Breakage>> = {
  'windows lose events that arrive during a request': {
    file: `${windows}/windows.ts`,
    find: '    for (const { events } of this.#requests) events.push(event)\n',
    replace: '',
  },
  'windows apply responses from before a lost queue': {
    file: `${windows}/windows.ts`,
    find: 'const isCurrent = () => epoch === this.#epoch && ',
    replace: 'const isCurrent = () => epoch <= this.#epoch && ',
  },
  'windows miss messages that are moved into them from elsewhere': {
    file: `${windows}/store.ts`,
    find: 'if (narrow.judge(message, this.account) !== false) this.#markStale(entry)',
    replace: 'narrow.judge(message, this.account)',
  },
  'new messages enter windows that end before them': {
    file: `${windows}/segments.ts`,
    find: 'from <= id && id <= to\n',
    replace: 'from <= id\n',
  },
  'windows of several streams stay valid when the user leaves one of them': {
    file: `${windows}/store.ts`,
    find: 'if (stream === undefined ? !isPrivate : changed.has(stream)) this.#markStale(entry)',
    replace: 'if (!isPrivate && stream && changed.has(stream)) this.#markStale(entry)',
  },
  'windows distinguish spellings of a topic': {
    file: `${windows}/narrow.ts`,
    find: 'foldTopic(topic) === folded',
    replace: 'topic === folded',
  },
  'windows reuse messages that may have changed without an event': {
    file: `${windows}/store.ts`,
    find: '    if (this.#untracked.has(message.id)) return true\n',
    replace: '',
  },
  'windows are not marked as outdated after a lost queue': {
    file: `${windows}/windows.ts`,
    find: '    this.#store.markAllOutdated()\n',
    replace: '',
  },
  'messages stay in windows whose narrow they leave': {
    file: `${windows}/store.ts`,
    find: 'if (verdict === false) this.#removeMessage(entry, id)',
    replace: 'if (verdict === false && !isIn) this.#removeMessage(entry, id)',
  },
}
