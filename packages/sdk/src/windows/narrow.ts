import type { NarrowTerm, StreamId, UserId } from '@oxbow/contract'
import { foldTopic, isResolvedTopic } from '@oxbow/contract/plain'
import type { AccountView } from './account-view.ts'
import { flagBits, type WindowMessage } from './message.ts'

/** Whether a message matches. Undefined if the known data does not decide it. */
type Verdict = boolean | undefined

/** The known fields of a message. An event may contain only the id and the new stream or topic. */
export type KnownFields = Partial<WindowMessage> & {
  /** The bits of `flags` that are known. If absent, all are known. */
  readonly knownFlags?: number
}

/** Aspects of a message that events can change and that narrows depend on. */
export type Aspect = 'stream' | 'topic' | 'content' | 'read' | 'starred' | 'mentions' | 'received'

/** A term of a narrow, in the form that `GET /messages` accepts. */
export type Term = Omit<NarrowTerm, 'negated'> & { readonly negated?: boolean }

/** The parts of a message that match a search, as HTML. */
export interface Highlight {
  match_content: string
  match_subject: string
}
export type MatchText = (message: WindowMessage) => Highlight | undefined

/** A narrow that the client can evaluate, as far as that is possible without the server. */
export interface Narrow {
  /** A text that is equal for narrows with the same terms. */
  readonly key: string
  readonly terms: readonly Term[]
  /** The stream of all messages in the narrow, if a term names it by id. */
  readonly stream: StreamId | undefined
  /** Whether all messages of the narrow are private. */
  readonly isPrivate: boolean
  /**
   * Whether the narrow has unread messages only. Messages that are read stay in the window until it
   * is closed.
   */
  readonly isUnreadOnly: boolean
  /** Whether the narrow includes all public streams. The account gets no events about most of them. */
  readonly includesAllPublicStreams: boolean
  /** The text to search for, if the narrow is a search. */
  readonly searchText: string | undefined
  /** Matches messages with the search text. Undefined until the search code is loaded. */
  matchText: MatchText | undefined
  dependsOn(aspects: ReadonlySet<Aspect>): boolean
  readonly dependsOnMuting: boolean
  /**
   * Returns whether a change in a public stream that the account is not subscribed to, about which it gets no event,
   * can bring a message that it received into the narrow.
   */
  canChangeUnseen(account: AccountView): boolean
  /** Returns whether messages that the account has not received can match. */
  includesHistory(account: AccountView): boolean
  /** Evaluates all terms, whether or not the account received the message. */
  judge(message: KnownFields, account: AccountView): Verdict
}

type Judge = (message: KnownFields, account: AccountView) => Verdict

interface Compiled {
  judge: Judge
  aspects?: readonly Aspect[]
  /** Whether the term depends on what the account muted or follows. */
  isMuting?: boolean
}

export function compileNarrow(requested: readonly Term[]): Narrow {
  const terms = requested
    .map(({ operator, operand, negated = false }) => ({
      operator: operator.replaceAll('_', '-'),
      operand,
      negated,
    }))
    // `near` only says which message to show, and does not restrict the narrow.
    .filter(({ operator }) => operator !== 'near')
  const positive = (name: string) => terms.filter(({ operator, negated }) => operator === name && !negated)
  const searches = terms.filter(({ operator }) => operator === 'search')
  const searchText = searches.length > 0 ? searches.map(({ operand }) => operand).join(' ') : undefined
  const compiled = terms.filter(({ operator }) => operator !== 'search').map(compileTerm)
  const listAspects = (of: readonly Compiled[]) =>
    new Set<Aspect>([
      ...of.flatMap((term) => term.aspects ?? []),
      ...(searchText === undefined ? [] : (['topic', 'content'] as const)),
    ])
  const aspects = listAspects(compiled)
  const aspectsBesideMuting = listAspects(compiled.filter(({ isMuting }) => !isMuting))
  const [named] = positive('stream')
  const history = terms.findLast(
    ({ operator, negated }) => !negated && (operator === 'stream' || operator === 'streams'),
  )
  const hasFlags = terms.some(({ operator, operand }) => operator === 'is' && operand !== 'resolved')
  return {
    key: JSON.stringify(terms.map((term) => JSON.stringify(term)).sort()),
    terms,
    stream: typeof named?.operand === 'number' ? (named.operand as StreamId) : undefined,
    isPrivate:
      positive('pm-with').length > 0 ||
      positive('group-pm-with').length > 0 ||
      positive('is').some(({ operand }) => operand === 'private'),
    isUnreadOnly: positive('is').some(({ operand }) => operand === 'unread'),
    includesAllPublicStreams: positive('streams').length > 0,
    searchText,
    matchText: undefined,
    dependsOn: (changed) => !aspects.isDisjointFrom(changed),
    dependsOnMuting: compiled.some(({ isMuting }) => isMuting),
    canChangeUnseen(account) {
      if (account.isGuest) return false
      if (!aspectsBesideMuting.isDisjointFrom(aspectsChangedUnseen)) return account.missesPublicStream
      return this.dependsOnMuting && account.attendsTopicsElsewhere
    },
    includesHistory(account) {
      if (hasFlags || !history) return false
      if (history.operator === 'streams') return !account.isGuest
      return account.canReadHistory(history.operand as StreamId)
    },
    judge(message, account) {
      let verdict: Verdict = true
      for (const { judge } of compiled) {
        const one = judge(message, account)
        if (one === false) return false
        if (one === undefined) verdict = undefined
      }
      if (searchText === undefined) return verdict
      if (!this.matchText || message.content === undefined) return undefined
      return this.matchText(message as WindowMessage) ? verdict : false
    },
  }
}

/** Aspects of a message that can change without an event to users who are not subscribed to its stream. */
const aspectsChangedUnseen: ReadonlySet<Aspect> = new Set(['stream', 'topic', 'content', 'mentions'])

const negate = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)

function compileTerm({ operator, operand, negated }: NarrowTerm): Compiled {
  const compiled = compilers[operator]?.(operand) ?? askServer
  if (!negated || operator === 'in') return compiled
  return { ...compiled, judge: (message, account) => negate(compiled.judge(message, account)) }
}

/** A term that only the server can evaluate. */
const askServer: Compiled = {
  judge: () => undefined,
  aspects: ['stream', 'topic', 'content', 'read', 'starred', 'mentions'],
}
const always: Compiled = { judge: () => true }

const equal = (known: unknown, wanted: unknown): Verdict =>
  known === undefined ? undefined : known === wanted

/** Returns the id of the stream, 0 for a private message, or undefined if neither is known. */
const streamOf = ({ user_ids, stream_id }: KnownFields): number | undefined => (user_ids ? 0 : stream_id)

function isPrivate(message: KnownFields): Verdict {
  const stream = streamOf(message)
  return stream === undefined ? undefined : stream === 0
}

/** Evaluates `matches` for the people of a private message. Other messages do not match. */
const among =
  (matches: (people: readonly UserId[], account: AccountView) => boolean): Judge =>
  (message, account) =>
    isPrivate(message) === true ? matches(message.user_ids ?? [], account) : isPrivate(message)

/** Evaluates what `judgeOf` returns for the topic of a stream message. Private messages have the verdict `ofPrivate`. */
const ofTopic = (
  judgeOf: (account: AccountView) => (stream: StreamId, topic: string) => Verdict,
  ofPrivate = false,
): Pick<Compiled, 'judge' | 'aspects'> => ({
  judge(message, account) {
    const stream = streamOf(message)
    if (stream === 0) return ofPrivate
    return stream && message.topic !== undefined
      ? judgeOf(account)(stream as StreamId, message.topic)
      : undefined
  },
  aspects: ['stream', 'topic'],
})

function hasFlag(name: keyof typeof flagBits): Judge {
  const bit = flagBits[name]
  return ({ flags, knownFlags = -1 }) =>
    flags === undefined || (knownFlags & bit) === 0 ? undefined : (flags & bit) !== 0
}

const either =
  (one: Judge, other: Judge): Judge =>
  (message, account) => {
    const verdicts = [one(message, account), other(message, account)]
    return verdicts.includes(true) || (verdicts.includes(undefined) ? undefined : false)
  }

const kinds: Readonly<Record<string, Compiled>> = {
  private: { judge: isPrivate },
  starred: { judge: hasFlag('starred'), aspects: ['starred'] },
  unread: { judge: (message, account) => negate(hasFlag('read')(message, account)), aspects: ['read'] },
  mentioned: { judge: either(hasFlag('mentioned'), hasFlag('wildcard_mentioned')), aspects: ['mentions'] },
  alerted: { judge: hasFlag('has_alert_word'), aspects: ['mentions'] },
  resolved: ofTopic(() => (_stream, topic) => isResolvedTopic(topic)),
  followed: { ...ofTopic(({ isFollowed }) => isFollowed), isMuting: true },
}

type Operand = NarrowTerm['operand']

/**
 * Compilers of terms by operator. They return undefined for operands that only the server
 * understands, such as names.
 */
const compilers: Readonly<Record<string, (operand: Operand) => Compiled | undefined>> = {
  stream: (id) =>
    typeof id === 'number'
      ? { judge: (message) => equal(streamOf(message), id), aspects: ['stream'] }
      : undefined,
  streams: () => ({
    judge(message, account) {
      const stream = streamOf(message)
      return stream === undefined ? undefined : account.isPublic(stream as StreamId)
    },
    aspects: ['stream'],
  }),
  topic(name) {
    const folded = foldTopic(String(name))
    return {
      judge: ({ topic }) => (topic === undefined ? undefined : foldTopic(topic) === folded),
      aspects: ['topic'],
    }
  },
  sender: (id) => (typeof id === 'number' ? { judge: ({ sender_id }) => equal(sender_id, id) } : undefined),
  'pm-with'(ids) {
    if (!Array.isArray(ids)) return undefined
    return {
      judge: among((people, { userId }) => {
        const wanted = new Set([...ids, ...(userId === undefined ? [] : [userId])])
        return wanted.size === people.length && people.every((id) => wanted.has(id))
      }),
    }
  },
  'group-pm-with': (id) =>
    typeof id === 'number'
      ? { judge: among((people) => people.length > 2 && people.includes(id as UserId)) }
      : undefined,
  is: (kind) => kinds[String(kind)],
  in: (view) =>
    view === 'home'
      ? {
          ...ofTopic(
            ({ isMuted }) =>
              (stream, topic) =>
                !isMuted(stream, topic),
            true,
          ),
          isMuting: true,
        }
      : always,
  id: (operand) => ({ judge: ({ id }) => equal(id, Number(operand)) }),
}
