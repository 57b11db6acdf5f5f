import { type Breakage, windowBreakages } from '../../apps/server/test/windows/breakages.ts'

/** A fault that is injected into the source, to check that tests detect it. */
export interface DeliberateFault extends Breakage {
  /** Parts of test file paths; at least one of these files must fail. */
  tests: readonly string[]
}

const server = 'apps/server/src'
const access = `${server}/streams/access.ts`
const match = `${server}/events/delivery/match.ts`
const cut = `${server}/events/delivery/cut.ts`
const sharedUsers = `${server}/people/users/shared-users.ts`
const decide = `${server}/messages/send/check-destination.ts`
const remove = `${server}/messages/delete/delete-message.ts`
const windows = 'packages/sdk/src/windows'
const windowTests = ['sdk/src/windows', 'server/test/windows/windows.test'] as const
const checkEdit = `${server}/messages/edit/check-edit.ts`

/**
 * Deliberate faults against each kind of guarantee: the cut, audiences, permissions, limits, HTML,
 * the state of the SDK.
 */
export const deliberateFaults: Readonly<Record<string, DeliberateFault>> = {
  'transactions that ran during a register count as seen': {
    file: cut,
    find: ' && !running.has(record.tx)',
    replace: '',
    tests: ['server/test/cut', 'events/delivery/'],
  },
  'events up to the position of a register come again': {
    file: cut,
    find: '  if (record.seq <= seq) return true\n',
    replace: '',
    tests: ['server/test/cut', 'events/delivery/', 'queues/'],
  },
  'users of another snapshot are in the state of a register': {
    file: sharedUsers,
    find: 'found?.version === version; found',
    replace: 'found; found',
    tests: ['users/shared-users'],
  },
  'addresses that administrators see are shared with everyone': {
    file: sharedUsers,
    find: 'canSeeDeliveryEmail(group, view.viewerRole) ? Role.administrator : Role.member',
    replace: 'Role.administrator',
    tests: ['users/shared-users'],
  },
  'descriptions are rendered for callers who may not create streams': {
    file: `${server}/streams/subscriptions/subscribe.ts`,
    find: 'if (error instanceof ApiError) return render\n    throw error',
    replace: 'if (!(error instanceof ApiError)) throw error',
    tests: ['server/test/costs/refused'],
  },
  'a bot with a secret accepts integrations without signatures': {
    file: `${server}/bots/webhooks/check-signature.ts`,
    find: 'botSecret === undefined\n      ? undefined',
    replace: 'true\n      ? undefined',
    tests: ['webhooks/check-signature'],
  },
  'the former owner of a bot replays its deliveries': {
    file: `${server}/bots/webhooks/failures/access.ts`,
    find: ' && bot_owner_id === account',
    replace: '',
    tests: ['webhooks/failures'],
  },
  'guests choose groups of default streams': {
    file: `${server}/joining/invitations/joining/first-streams.ts`,
    find: '  if (role === Role.guest) return []\n',
    replace: '',
    tests: ['invitations/joining/joining'],
  },
  'the last subscribers of an archived stream count as former members': {
    file: `${server}/messages/visibility.ts`,
    find: 'current_stream.archived_at is not null',
    replace: 'false',
    tests: ['messages/former-members'],
  },
  'guests who left a stream learn its topics by a move': {
    file: `${server}/messages/edit/guests.ts`,
    find: ' and s.is_active)\n    order by',
    replace: ')\n    order by',
    tests: ['messages/edit/move-messages'],
  },
  'guests who left a stream learn the topic of messages that are moved there': {
    file: `${server}/messages/edit/guests.ts`,
    find: ' and s.is_active)\n    group by',
    replace: ')\n    group by',
    tests: ['messages/edit/move-messages'],
  },
  'outgoing webhooks post everywhere': {
    file: `${server}/messages/send/check-destination.ts`,
    find: 'recipient.isReply && stream',
    replace: 'stream',
    tests: ['outgoing-webhooks/outgoing-webhooks'],
  },
  'bots read what they uploaded for an earlier owner': {
    file: `${server}/messages/attachments/queries.ts`,
    find: ' and not u.is_hidden_from_owner',
    replace: '',
    tests: ['users/bots/former-uploads'],
  },
  'administrators choose the servers of outgoing webhooks': {
    file: `${server}/people/users/bots/change-service.ts`,
    find: 'base_url !== undefined && bot.bot_owner_id !== actor.user_id',
    replace: 'false',
    tests: ['users/bots/bot-rights'],
  },
  'users whom an audience excludes get the event': {
    file: match,
    find: 'if (!to || includesId(to.except, account.user_id)) return false',
    replace: 'if (!to) return false',
    tests: ['events/delivery/match', 'queues/audience'],
  },
  'bots get events that are for people only': {
    file: match,
    find: '  if (to.peopleOnly && account.isBot) return false\n',
    replace: '',
    tests: ['events/delivery/match', 'queues/audience'],
  },
  'private streams are open to everyone': {
    file: access,
    find: "  if (stream.invite_only) return refusedBy('stream_private')\n",
    replace: '',
    tests: ['streams/access-matrix'],
  },
  'guests read public streams that they are not in': {
    file: access,
    find: "role === Role.guest ? refusedBy('guest_outside_stream') : allowedBy('stream_public')",
    replace: "allowedBy('stream_public')",
    tests: ['streams/access-matrix'],
  },
  'everyone posts where only administrators may': {
    file: access,
    find: "  if (stream.stream_post_policy === PostPolicy.administrators) return refusedBy('administrators_post')\n",
    replace: '',
    tests: ['streams/access-matrix', 'messages/send/'],
  },
  "people delete each other's messages": {
    file: remove,
    find: "  if (sender_id !== user_id) return refusedBy('others_message')\n",
    replace: '',
    tests: ['messages/delete/'],
  },
  'messages can be deleted after the time limit': {
    file: remove,
    find: 'limit > 0 && age > limit',
    replace: 'limit > 0 && age > 10 * limit',
    tests: ['messages/delete/'],
  },
  "people edit the text of each other's messages": {
    file: checkEdit,
    find: "  if (change.content !== undefined) return refusedBy('others_message')\n",
    replace: '',
    tests: ['messages/edit/'],
  },
  'private messages reach deactivated accounts': {
    file: decide,
    find: "  if (people.some(({ is_active }) => !is_active)) return refusedBy('recipient_deactivated')\n",
    replace: '',
    tests: ['messages/send/'],
  },
  'private messages pass although they are disabled': {
    file: decide,
    find: 'organization.private_message_policy === privateMessagesDisabled && !isWithBot',
    replace: 'false',
    tests: ['messages/send/'],
  },
  'a deactivated account finishes what it began': {
    file: `${server}/identity/write-as.ts`,
    find: "  if (!account.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')\n",
    replace: '',
    tests: ['identity/'],
  },
  'a demoted administrator finishes what they began': {
    file: `${server}/identity/write-as.ts`,
    find: '  if (account.role !== actor.role) throw new ActorChanged()\n',
    replace: '',
    tests: ['identity/'],
  },
  'administrators revoke invitations of owners': {
    file: `${server}/joining/invitations/access.ts`,
    find: "  if (invitedAs === Role.owner && role !== Role.owner) throw new ApiError('MUST_BE_OWNER')\n",
    replace: '',
    tests: ['server/src/joining/invitations/'],
  },
  'the sequencer numbers events in the wrong order': {
    file: `${server}/events/sequencer/take-batches.ts`,
    find: 'width, header, event) order by id)',
    replace: 'width, header, event) order by id desc)',
    tests: ['events/sequencer/', 'server/src/queues/'],
  },
  'the rate limit counts nothing': {
    file: `${server}/platform/http/request-limits.ts`,
    find: '    if (allowed) {\n      times.push(now)',
    replace: '    if (!allowed) {\n      times.push(now)',
    tests: ['platform/http/rate-limit'],
  },
  'quotes break out of HTML attributes': {
    file: 'packages/markdown/src/escape.ts',
    find: `escapeText(value).replaceAll('"', '&quot;')`,
    replace: 'escapeText(value)',
    tests: ['packages/markdown/test/cases', 'packages/markdown/test/findings'],
  },
  'angle brackets are not escaped': {
    file: 'packages/markdown/src/escape.ts',
    find: "text.replaceAll('<', '&lt;')",
    replace: 'text',
    tests: ['packages/markdown/test/cases', 'packages/markdown/test/findings'],
  },
  'outbound requests connect to private addresses': {
    file: `${server}/platform/outbound/fetch-outbound.ts`,
    find: '!addresses.every((address) => rules.isAllowed(address))',
    replace: '!addresses.some((address) => rules.isAllowed(address))',
    tests: ['platform/outbound/'],
  },
  'the image proxy fetches what nobody signed': {
    file: `${server}/messages/external-pictures/picture-paths.ts`,
    find: ' || !timingSafeEqual(signatureBytes, expected)',
    replace: '',
    tests: ['server/test/foreign-pictures'],
  },
  'the count of unread messages never goes down': {
    file: 'packages/sdk/src/state/unread.ts',
    find: 'Math.max(0, unread.count - countRemoved(removed))',
    replace: 'unread.count',
    tests: ['packages/sdk/src/state/unread'],
  },
  'an old event replaces a message that was fetched since': {
    file: `${windows}/store.ts`,
    find: 'if (!isKnown) this.put(toWindowMessage(message, flags))',
    replace: 'if (this.messages) this.put(toWindowMessage(message, flags))',
    tests: ['sdk/src/windows'],
  },
  'guests keep messages that were moved out of their sight': {
    file: `${windows}/store.ts`,
    find: 'if (account.isGuest) {',
    replace: 'if (account.isGuest && !hasFlags) {',
    tests: ['sdk/src/windows'],
  },
  ...Object.fromEntries(
    Object.entries(windowBreakages).map(([name, breakage]) => [name, { ...breakage, tests: windowTests }]),
  ),
  'messages that moved along with an edited one count as edited': {
    file: `${server}/messages/edit/events.ts`,
    find: '...(includesEdited && { edit_timestamp: seconds(edited_at) }),',
    replace: 'edit_timestamp: seconds(edited_at),',
    tests: ['messages/edit/edit-topic', 'server/test/windows'],
  },
  'a database whose tables were changed by hand adopts the baseline': {
    file: `${server}/platform/database/schema-objects.ts`,
    find: '.filter((object) => object.found !== object.expected)',
    replace: '.filter((object) => object.found === undefined)',
    tests: ['server/test/adopt-baseline'],
  },
  'backups that are older than the baseline are restored': {
    file: `${server}/operators/backup/refuse-unsuitable.ts`,
    find: 'if (isOlderThanBaseline(names))',
    replace: 'if (names.length === 0)',
    tests: ['server/test/backup/replaced-migrations'],
  },
  'names in notices are Markdown': {
    file: `${server}/streams/notice-text.ts`,
    find: 'new NoticeText(writeLiteral(String(part)))',
    replace: 'new NoticeText(String(part))',
    tests: ['server/test/hostile-names'],
  },
  'names in e-mails can be links': {
    file: `${server}/platform/mail/mail-text.ts`,
    find: "line.replace(joiningMarks, '$& ')",
    replace: 'line',
    tests: ['server/test/hostile-names-in-mail'],
  },
}
