import { ApiError, type MessageId, type StreamId, type UserId } from '@oxbow/contract'
import { topicLinker } from '../../linkifiers/link-topics.ts'
import { displayEmail } from '../../organization/display-email.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { foldName } from '../../streams/names.ts'
import { listAccountsByEmail, listAccountsById } from '../accounts.ts'
import { renderContent } from '../content/render-content.ts'
import { callSend, type Destination, findStreamId, readSendFacts } from './call-send.ts'
import { confirmSender, decidePeople, decideStream, unknownStream } from './decide.ts'
import { type Facts, type PersonFacts, RememberedFacts } from './facts.ts'
import { isInteractiveClient } from './interactive-clients.ts'
import { draftOf, type Sent } from './message-record.ts'
import type { Recipient } from './recipients.ts'
import { noSuchStream, tellOwner, unheard } from './tell-owner.ts'

export interface Posted {
  recipient: Recipient
  topic: string
  content: string
  echo?: { queue: string; local_id: string } | undefined
  /** Whether the sender has read the message; by default where the sending program is interactive. */
  isReadBySender?: boolean | undefined
}

/** So many people are a stream. */
const mostPeople = 1_000
/** The facts changed under us this often only if someone tries to make them. */
const mostAttempts = 10

const remembered = new WeakMap<App, RememberedFacts>()

/** Sends what someone wrote. Owners of bots are told of what goes to nobody, which bots do not mind. */
export async function post(app: App, actor: Actor, posted: Posted): Promise<MessageId> {
  if (actor.bot_type === null) return (await send(app, actor, posted)).id
  try {
    const { id, facts } = await send(app, actor, posted)
    if (facts.sender?.writes_unheard && facts.stream) await tellOwner(app, actor, unheard(facts.stream.name))
    return id
  } catch (error) {
    const { recipient } = posted
    const isUnknown =
      error instanceof ApiError && (error.is('STREAM_DOES_NOT_EXIST') || error.is('STREAM_ID_DOES_NOT_EXIST'))
    if (isUnknown && recipient.kind === 'stream') await tellOwner(app, actor, noSuchStream(recipient.stream))
    throw error
  }
}

/**
 * Sends a message and notifies no bot owner, which needs a transaction of its own after this one.
 * It is decided and rendered by facts that are remembered or read beforehand; the one
 * statement that sends looks at them again, with the stream and the roles held, and if they are others says which.
 */
export async function send(app: App, actor: Actor, posted: Posted): Promise<{ id: MessageId; facts: Facts }> {
  const memory = remembered.get(app) ?? new RememberedFacts()
  remembered.set(app, memory)
  const { recipient } = posted
  const named = recipient.kind === 'stream' ? recipient.stream : recipient.people
  const key = `${actor.organization_id} ${actor.user_id} ${JSON.stringify(named)}`
  const before = memory.get(key)
  let known = before && isStill(app, actor, recipient, before.facts) ? before : undefined
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    known ??= await readSendFacts(app.db, actor, await resolve(app, actor, recipient))
    const sent = await prepare(app, actor, posted, known.facts)
    const outcome = await callSend(
      app.db,
      actor,
      destinationOf(known.facts),
      known,
      draftOf(app, actor.organization_id, sent),
      { repetition: actor.repetition },
    )
    if (typeof outcome === 'number') {
      memory.set(key, known)
      return { id: outcome, facts: known.facts }
    }
    memory.delete(key)
    known = isStill(app, actor, recipient, outcome.facts) ? outcome : undefined
  }
  throw new Error(`what decides about a message changed ${mostAttempts} times while it was sent`)
}

/** Whether facts from before can be true of this call: its sender is the same, and names mean what they meant. */
function isStill({ config }: App, actor: Actor, recipient: Recipient, facts: Facts): boolean {
  if (facts.sender?.role !== actor.role) return false
  if (recipient.kind === 'stream') {
    const { stream } = recipient
    return typeof stream === 'number' || facts.stream?.folded_name === foldName(stream)
  }
  const people = facts.people ?? []
  const emails = new Set(
    people.map((person) => displayEmail(config, { ...person, ...facts.organization }).toLowerCase()),
  )
  return recipient.people.every((named) =>
    typeof named === 'number'
      ? people.some(({ id }) => id === named) || named === actor.user_id
      : emails.has(named.toLowerCase()),
  )
}

async function resolve(app: App, actor: Actor, recipient: Recipient): Promise<Destination> {
  if (recipient.kind === 'people') return { people: await resolvePeople(app, actor, recipient.people) }
  const { stream } = recipient
  const id =
    typeof stream === 'number'
      ? (stream as StreamId)
      : await findStreamId(app.db, actor.organization_id, stream)
  if (id === undefined) throw unknownStream(stream)
  return { stream: id }
}

/** Everyone in the conversation, ascending: those who were named, and whoever writes. */
async function resolvePeople(
  { config, db }: App,
  { organization_id, user_id }: Actor,
  named: readonly string[] | readonly number[],
): Promise<UserId[]> {
  if (named.length > mostPeople) throw new ApiError('MESSAGE_RECIPIENTS_TOO_MANY', { limit: mostPeople })
  const [first] = named
  const ids = new Set<UserId>([user_id])
  if (typeof first === 'number') {
    const found = await listAccountsById(db, organization_id, named as number[])
    for (const id of named as UserId[]) {
      if (!found.has(id)) throw new ApiError('RECIPIENT_ID_INVALID', { id })
      ids.add(id)
    }
  } else {
    // No address has one, and the database refuses to look for it.
    const possible = (named as string[]).filter((email) => !email.includes('\0'))
    const found = await listAccountsByEmail(config, db, organization_id, possible)
    for (const email of named as string[]) {
      const account = found.get(email.toLowerCase())
      if (!account) throw new ApiError('RECIPIENT_EMAIL_INVALID', { email })
      ids.add(account.id)
    }
  }
  return [...ids].sort((a, b) => a - b)
}

function destinationOf({ stream, people }: Facts): Destination {
  if (stream) return { stream: stream.id }
  return { people: (people ?? []).map(({ id }) => id) }
}

async function prepare(app: App, actor: Actor, posted: Posted, facts: Facts): Promise<Sent> {
  const sender = confirmSender(actor, facts.sender)
  const { recipient, topic, content, echo, isReadBySender = isInteractiveClient(actor.client) } = posted
  const to = decide(app, facts, sender, recipient)
  const { organization_id, user_id, role, origin, client } = actor
  const rendered = await renderContent(app, { organization_id, user_id, role }, content, {
    ...facts.organization,
    translate_emoticons: sender.translate_emoticons,
    origin,
  })
  const linkTopic = await topicLinker(app, organization_id)
  return {
    facts,
    sender,
    to,
    topic,
    topic_links: linkTopic(topic),
    content,
    client,
    rendered,
    readers: isReadBySender ? [user_id] : [],
    echo: echo && { ...echo, user: user_id },
  }
}

function decide(
  { config }: App,
  facts: Facts,
  sender: NonNullable<Facts['sender']>,
  recipient: Recipient,
): Sent['to'] {
  if (recipient.kind === 'stream') return decideStream(sender, facts.stream, recipient.stream)
  const people: PersonFacts[] = facts.people ?? []
  decidePeople(config, facts, sender, people)
  return people
}
