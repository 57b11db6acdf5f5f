import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { type MadeStream, type Person, pngOf, startWorld, type World } from '@oxbow/testkit'
import {
  type CallerKind,
  Callers,
  callerKinds,
  getEndpoint,
  makeInvalidSessions,
  outcome,
} from '@oxbow/testkit/calls/callers'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { upload } from '@oxbow/testkit/calls/uploads'
import { makeGroup } from '@oxbow/testkit/calls/user-groups'
import { bySize } from '@oxbow/testkit/size'

let world: World
let foreigner: Person
let callers: Callers
let count = 0

before(async () => {
  // Some invitations need a configured mail server, but none is sent to it.
  world = await startWorld({
    config: { smtp_url: 'smtp://127.0.0.1:1', external_url: 'http://localhost', bots_per_person: 1_000 },
  })
  foreigner = (await world.addOrganization('hill')).owner
  callers = new Callers(world, foreigner)
})
after(() => world[Symbol.asyncDispose]())

const yes = 'ok'
const admin = 'MUST_BE_ADMINISTRATOR'
const ownersOnly = 'MUST_BE_OWNER'
const bots = 'NOT_FOR_BOTS'
const denied = 'INSUFFICIENT_PERMISSION'
const notTheirs = 'NOT_YOUR_QUEUE'
const notGuests = 'NOT_FOR_GUESTS'
const noDevice = 'DEVICE_TOKEN_UNKNOWN'
const noStream = 'INVALID_STREAM_ID'
const notIn = 'NOT_SUBSCRIBED'
const noMessage = 'INVALID_MESSAGE'
const notAuthor = 'NOT_EMOJI_AUTHOR'
const notMember = 'USER_GROUP_OF_OTHERS'
const notAdmin = 'NOT_AN_ADMINISTRATOR'
const noScheduled = 'SCHEDULED_MESSAGE_UNKNOWN'
const noReaction = 'REACTION_DOES_NOT_EXIST'
const noDraft = 'DRAFT_DOES_NOT_EXIST'
const noSession = 'NO_SUCH_SESSION'
const notMuted = 'USER_NOT_MUTED'
const noUpload = 'UPLOAD_FORBIDDEN'
const notTheirUpload = 'INVALID_ATTACHMENT'
/**
 * Outcomes of every endpoint that needs an account, for a deactivated caller, a caller of another
 * organization, and a caller without credentials.
 */
const outsiders = ['ACCOUNT_DEACTIVATED', 'WRONG_SUBDOMAIN', 'NOT_LOGGED_IN']
const anyone = Array.from(callerKinds, () => yes)

/** A function that builds valid parameters for a caller, and the outcome for each kind of caller. */
type Row = [makeParams: (caller: CallerKey) => Promise<object> | object, outcomes: string[]]
/** A caller's API key, for endpoints that take it in the URL. */
type CallerKey = { api_key?: string }

const someone = () => world.person(`target${count++}`)
let target: Promise<Person> | undefined
/** Returns a person who is the target of calls that leave the account usable for others. */
const sameTarget = () => {
  target ??= someone()
  return target
}
/** Creates a bot of the owner and returns its id. */
const someBot = async () => (await world.bot(`some${count++}`, world.owner)).user_id
const someField = async () => {
  const { id } = await world.owner.profileFields.create({ name: `Field ${count++}`, field_type: 1 })
  return id
}
const someDomain = async () => {
  const domain = `beds${count++}.example`
  await world.owner.domains.add({ domain, allow_subdomains: true })
  return domain
}
/** Deletes the exports of the organization, because it may start only a few each week. */
const forgetExports = () =>
  world.database.query('delete from data_export where organization_id = $1', [world.organization_id])

/** Inserts the row of a finished export, without an archive file. Returns its id. */
async function someExport(): Promise<number> {
  const [row] = await world.database.query<{ id: number }>(
    `insert into data_export (organization_id, acting_user_id, origin, finished_at)
     values ($1, $2, 'http://localhost', now()) returning id::int`,
    [world.organization_id, world.owner.user_id],
  )
  return row?.id ?? 0
}

const linkifier = () => ({
  pattern: `bed${count++}-(?P<id>[0-9]+)`,
  url_format_string: 'https://beds.example/%(id)s',
})
/** Creates a public stream whose only subscriber is the owner. */
const someStream = () => world.stream(`stream ${count++}`)
let stream: Promise<MadeStream> | undefined
/**
 * Returns such a stream, for calls that change neither its name nor its subscribers, and do not depend on
 * its messages. Creating a stream takes longer than most calls.
 */
const sameStream = () => {
  stream ??= someStream()
  return stream
}
/** Sends a message as the owner to a public stream whose only subscriber is the owner. */
const someMessage = async () => {
  const { stream_id } = await sameStream()
  const sent = { type: 'stream', to: stream_id, topic: 'roses', content: 'Pruned.' }
  return { message_id: (await world.owner.messages.send(sent)).id }
}
/** Uploads a file as the owner, and sends a link to it to a public stream. */
const sharedUpload = async () => {
  const uri = await upload(world.owner)
  await sendToStream(world.owner, await sameStream(), 'roses', `[notes](${uri})`)
  const [, , realm_id_str, ...rest] = uri.split('/')
  return { realm_id_str, filename: rest.join('/') }
}
/** Schedules a message of the owner. */
const someScheduledMessage = async () => {
  const { stream_id } = await sameStream()
  return { scheduled_message_id: await schedule(world.owner, { to: stream_id }) }
}
/** Sends a poll as the owner to the same stream. */
const somePoll = async () => {
  const { stream_id: to } = await sameStream()
  const content = '/poll Which?\nRoses'
  return (await world.owner.messages.send({ type: 'stream', to, topic: 'roses', content })).id
}
const vote = '{"type":"vote","key":"canned,0","vote":1}'
const draft = { type: '', to: [], topic: '', content: 'Prune' }
/** Stores a draft of the owner. */
const someDraft = async () => (await world.owner.drafts.create({ drafts: [draft] })).ids[0]
const someGroup = async (...stream_names: string[]) => {
  const group = { group_name: `Group ${count++}`, description: '', stream_names }
  return (await world.owner.defaultStreams.createGroup(group)).id
}
const someFolder = async () => ({
  channel_folder_id: (await world.owner.streamFolders.create({ name: `Folder ${count++}` }))
    .channel_folder_id,
})
/** Creates a user group without members. */
const someUserGroup = async () => ({ user_group_id: await makeGroup(world.owner, `User group ${count++}`) })
const typingTo = async () => ({ op: 'start', to: [(await sameTarget()).user_id] })
/** Creates an invitation by the owner to a new address. */
const someInvitation = async () => {
  const invitee_emails = `new${count++}@elsewhere.example`
  await world.owner.invitations.send({ invitee_emails, stream_ids: [(await sameStream()).stream_id] })
  return { invite_id: (await world.owner.invitations.list()).invites.at(-1)?.id }
}
const someLink = async () => {
  await world.owner.invitations.createLink()
  return { invite_id: (await world.owner.invitations.list()).invites.at(-1)?.id }
}
const allFields = async () => (await world.owner.profileFields.list()).custom_fields.map(({ id }) => id)

// prettier-ignore
const matrix: Record<string, Row> = {
  // Columns: owner, administrator, member, guest, bot, then `outsiders`.
  'server.settings': [() => ({}), anyone],
  'server.checkSubdomain': [() => ({ subdomain: 'meadow' }), anyone],
  'organization.update': [
    () => ({ name: `Garden ${count++}`, mandatory_topics: false }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'organization.deactivate': [
    () => ({}),
    [yes, ownersOnly, ownersOnly, ownersOnly, ownersOnly, ...outsiders],
  ],
  'authentication.fetchApiKey': [
    async () => sameTarget().then(({ email, password }) => ({ username: email, password })),
    anyone,
  ],
  'authentication.devFetchApiKey': [
    async () => ({ username: (await sameTarget()).email }),
    anyone.map(() => 'NOT_A_DEVELOPMENT_SERVER'),
  ],
  'authentication.listDevelopmentUsers': [() => ({}), anyone.map(() => 'NOT_A_DEVELOPMENT_SERVER')],
  'authentication.fetchGoogleClientId': [() => ({}), anyone.map(() => 'GOOGLE_CLIENT_ID_MISSING')],
  // These are outcomes with an API key; `sessionOutcomes` lists the differences with a session.
  'sessions.create': [
    async () => sameTarget().then(({ email, password }) => ({ username: email, password })),
    anyone.map(() => 'CROSS_ORIGIN'),
  ],
  'sessions.list': [() => ({}), [yes, yes, yes, yes, bots, ...outsiders]],
  'sessions.end': [
    () => ({ session_id: 1 }),
    [noSession, noSession, noSession, noSession, bots, ...outsiders],
  ],
  'sessions.endOthers': [() => ({}), [yes, yes, yes, yes, bots, ...outsiders]],
  'sessions.endCurrent': [
    () => ({}),
    [...Array.from({ length: 4 }, () => 'NO_CURRENT_SESSION'), bots, ...outsiders],
  ],
  'sessions.endOfUser': [
    async () => ({ user_id: (await sameTarget()).user_id }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'webhooks.listIntegrations': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'users.directory': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'users.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'users.get': [
    async () => ({ user_id: (await sameTarget()).user_id }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'users.getByEmail': [
    async () => ({ email: (await sameTarget()).email }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'users.me': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'users.create': [
    () => ({
      email: `new${count++}@garden.example`,
      password: 'heron lake 77 reeds',
      full_name: 'New Person',
    }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'users.update': [
    async () => ({ user_id: (await sameTarget()).user_id, full_name: 'Other Name' }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'users.deactivate': [
    async () => ({ user_id: (await someone()).user_id }),
    [yes, yes, denied, denied, denied, ...outsiders],
  ],
  'users.erase': [
    async () => ({ user_id: (await someone()).user_id }),
    [yes, ownersOnly, ownersOnly, ownersOnly, bots, ...outsiders],
  ],
  'users.reactivate': [
    async () => {
      const { user_id } = await someone()
      await world.owner.users.deactivate({ user_id })
      return { user_id }
    },
    [yes, yes, denied, denied, denied, ...outsiders],
  ],
  'users.deactivateMe': [() => ({}), ['CANNOT_DEACTIVATE_LAST_USER', yes, yes, yes, yes, ...outsiders]],
  'users.setProfileData': [
    async () => ({ data: [{ id: await someField(), value: 'x' }] }),
    [yes, yes, yes, yes, bots, ...outsiders],
  ],
  'users.clearProfileData': [
    async () => ({ data: [await someField()] }),
    [yes, yes, yes, yes, bots, ...outsiders],
  ],
  'users.updateSettings': [
    () => ({ full_name: `Own Name ${count++}` }),
    [yes, yes, yes, yes, bots, ...outsiders],
  ],
  'users.setAvatar': [
    () => ({ files: [{ name: 'me.png', bytes: pngOf(4, 4) }] }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'users.clearAvatar': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'invitations.list': [() => ({}), [yes, yes, yes, notGuests, bots, ...outsiders]],
  'invitations.send': [
    async () => ({
      invitee_emails: `new${count++}@elsewhere.example`,
      stream_ids: [(await sameStream()).stream_id],
    }),
    [yes, yes, yes, notGuests, bots, ...outsiders],
  ],
  'invitations.revoke': [someInvitation, [yes, yes, notAdmin, notGuests, bots, ...outsiders]],
  'invitations.resend': [someInvitation, [yes, yes, notAdmin, notGuests, bots, ...outsiders]],
  'invitations.createLink': [() => ({}), [yes, yes, admin, admin, admin, ...outsiders]],
  'invitations.revokeLink': [someLink, [yes, yes, admin, admin, admin, ...outsiders]],
  'bots.create': [
    () => ({ full_name: `Made ${count}`, short_name: `made${count++}` }),
    [yes, yes, yes, notGuests, bots, ...outsiders],
  ],
  'bots.list': [() => ({}), [yes, yes, yes, notGuests, bots, ...outsiders]],
  'bots.update': [
    async () => ({ bot_id: await someBot(), full_name: `Other ${count++}` }),
    [yes, yes, denied, notGuests, bots, ...outsiders],
  ],
  'bots.regenerateApiKey': [
    async () => ({ bot_id: await someBot() }),
    [yes, yes, denied, notGuests, bots, ...outsiders],
  ],
  'bots.deactivate': [
    async () => ({ bot_id: await someBot() }),
    [yes, yes, denied, denied, denied, ...outsiders],
  ],
  'botStorage.read': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'botStorage.write': [() => ({ storage: { a: 'b' } }), [yes, yes, yes, yes, yes, ...outsiders]],
  'botStorage.remove': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'settings.updateDisplay': [() => ({ dense_mode: false }), [yes, yes, yes, yes, bots, ...outsiders]],
  'settings.updateNotifications': [
    () => ({ enable_sounds: false }),
    [yes, yes, yes, yes, bots, ...outsiders],
  ],
  'settings.runCommand': [() => ({ command: '/night' }), [yes, yes, yes, yes, yes, ...outsiders]],
  'settings.setEnterSends': [() => ({ enter_sends: true }), [yes, yes, yes, yes, bots, ...outsiders]],
  'settings.dismissHotspot': [() => ({ hotspot: 'intro_reply' }), [yes, yes, yes, yes, bots, ...outsiders]],
  'settings.setTutorialStatus': [() => ({ status: 'started' }), [yes, yes, yes, yes, bots, ...outsiders]],
  'userStatus.set': [() => ({ away: true }), [yes, yes, yes, yes, bots, ...outsiders]],
  'alertWords.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'alertWords.add': [() => ({ alert_words: ['roses'] }), [yes, yes, yes, yes, yes, ...outsiders]],
  'alertWords.remove': [() => ({ alert_words: ['roses'] }), [yes, yes, yes, yes, yes, ...outsiders]],
  'mutedUsers.mute': [
    async () => ({ muted_user_id: (await sameTarget()).user_id }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'mutedUsers.unmute': [
    async () => ({ muted_user_id: (await someone()).user_id }),
    [notMuted, notMuted, notMuted, notMuted, notMuted, ...outsiders],
  ],
  'devices.addApple': [() => ({ token: 'c3RvbmU=' }), [yes, yes, yes, yes, bots, ...outsiders]],
  'devices.addAndroid': [() => ({ token: 'stone' }), [yes, yes, yes, yes, bots, ...outsiders]],
  // The callers have registered no device.
  'devices.removeApple': [
    () => ({ token: 'cm9vdHM=' }),
    [noDevice, noDevice, noDevice, noDevice, bots, ...outsiders],
  ],
  'devices.removeAndroid': [
    () => ({ token: 'roots' }),
    [noDevice, noDevice, noDevice, noDevice, bots, ...outsiders],
  ],
  'profileFields.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'profileFields.create': [
    () => ({ name: `Field ${count++}`, field_type: 1 }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'profileFields.reorder': [
    async () => ({ order: await allFields() }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'profileFields.update': [
    async () => ({ field_id: await someField(), name: `Field ${count++}` }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'profileFields.remove': [
    async () => ({ field_id: await someField() }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'domains.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'domains.add': [
    () => ({ domain: `beds${count++}.example`, allow_subdomains: true }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'domains.update': [
    async () => ({ domain: await someDomain(), allow_subdomains: false }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'domains.remove': [
    async () => ({ domain: await someDomain() }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'organizationPictures.setIcon': [
    () => ({ files: [{ name: 'x.png', bytes: pngOf(4, 4) }] }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'organizationPictures.clearIcon': [() => ({}), [yes, yes, admin, admin, admin, ...outsiders]],
  'organizationPictures.setLogo': [
    () => ({ night: true, files: [{ name: 'x.png', bytes: pngOf(4, 4) }] }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'organizationPictures.clearLogo': [() => ({ night: false }), [yes, yes, admin, admin, admin, ...outsiders]],
  'linkifiers.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'linkifiers.listByName': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'linkifiers.add': [() => linkifier(), [yes, yes, admin, admin, admin, ...outsiders]],
  'linkifiers.remove': [
    async () => ({ filter_id: (await world.owner.linkifiers.add(linkifier())).id }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'dataExports.list': [() => ({}), [yes, yes, admin, admin, admin, ...outsiders]],
  'dataExports.start': [
    async () => {
      await forgetExports()
      return {}
    },
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'dataExports.remove': [
    async () => ({ export_id: await someExport() }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'emoji.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'emoji.upload': [
    () => ({ emoji_name: `emoji${count++}`, files: [{ name: 'x.png', bytes: pngOf(4, 4) }] }),
    [yes, yes, yes, notGuests, bots, ...outsiders],
  ],
  'emoji.deactivate': [
    async () => {
      const emoji_name = `emoji${count++}`
      await addEmoji(world.owner, emoji_name)
      return { emoji_name }
    },
    [yes, yes, notAuthor, notAuthor, notAuthor, ...outsiders],
  ],
  'userGroups.list': [() => ({}), [yes, yes, yes, notGuests, bots, ...outsiders]],
  'userGroups.create': [
    () => ({ name: `User group ${count++}`, description: '' }),
    [yes, yes, yes, notGuests, bots, ...outsiders],
  ],
  'userGroups.update': [
    async () => ({ ...(await someUserGroup()), description: 'Other words' }),
    [yes, yes, notMember, notGuests, bots, ...outsiders],
  ],
  'userGroups.remove': [someUserGroup, [yes, yes, notMember, notGuests, bots, ...outsiders]],
  'userGroups.changeMembers': [
    async () => ({ ...(await someUserGroup()), add: [(await sameTarget()).user_id] }),
    [yes, yes, notMember, notGuests, bots, ...outsiders],
  ],
  'userGroups.changeSubgroups': [
    async () => ({ ...(await someUserGroup()), add: [(await someUserGroup()).user_group_id] }),
    [yes, yes, notMember, notGuests, bots, ...outsiders],
  ],
  'permissions.explain': [
    async () => ({ user_id: (await sameTarget()).user_id, action: 'change_settings' }),
    [yes, yes, denied, denied, denied, ...outsiders],
  ],
  'reports.reportError': [
    () => ({ message: 'boom', stacktrace: '', ui_message: false, user_agent: '', href: '', log: '' }),
    anyone,
  ],
  'reports.sendTimes': [() => ({ time: 1 }), [yes, yes, yes, yes, yes, ...outsiders]],
  'reports.narrowTimes': [
    () => ({ initial_core: 1, initial_free: 2, network: 3 }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'reports.unnarrowTimes': [
    () => ({ initial_core: 1, initial_free: 2 }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'events.register': [() => ({ fetch_event_types: [] }), [yes, yes, yes, yes, yes, ...outsiders]],
  'events.poll': [() => ({ event_types: [] }), [yes, yes, yes, yes, yes, ...outsiders]],
  'events.deleteQueue': [
    async () => ({ queue_id: (await world.owner.events.register({ fetch_event_types: [] })).queue_id }),
    [yes, notTheirs, notTheirs, notTheirs, notTheirs, ...outsiders],
  ],
  'streams.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'streams.getId': [
    async () => ({ stream: (await sameStream()).name }),
    [yes, yes, yes, 'INVALID_STREAM_NAME', yes, ...outsiders],
  ],
  'streams.get': [
    async () => ({ stream_id: (await sameStream()).stream_id }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'streams.members': [
    async () => ({ stream_id: (await sameStream()).stream_id }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'streams.topics': [
    async () => ({ stream_id: (await sameStream()).stream_id }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'streams.update': [
    async () => ({ stream_id: (await sameStream()).stream_id, description: `Words ${count++}` }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'streamFolders.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'streamFolders.create': [
    () => ({ name: `Folder ${count++}` }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'streamFolders.update': [
    async () => ({ ...(await someFolder()), description: 'Other words' }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'streamFolders.reorder': [
    async () => ({
      order: (await world.owner.streamFolders.list({ include_archived: true })).channel_folders.map(
        ({ id }) => id,
      ),
    }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'streamSections.set': [
    () => ({ stream_sections: [{ kind: 'own', name: 'Beds', stream_ids: [] }] }),
    [yes, yes, yes, yes, bots, ...outsiders],
  ],
  'streams.archive': [
    async () => ({ stream_id: (await someStream()).stream_id }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'streams.deleteTopic': [
    async () => ({ stream_id: (await someStream()).stream_id, topic_name: 'roses' }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'messages.send': [
    async () => ({ type: 'stream', to: (await sameStream()).stream_id, topic: 'roses', content: 'Pruned.' }),
    [yes, yes, yes, 'STREAM_ID_DOES_NOT_EXIST', yes, ...outsiders],
  ],
  'messages.list': [
    () => ({ anchor: 'newest', num_before: 1, num_after: 0 }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'messages.conversations': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'messages.matchesNarrow': [
    async () => ({ msg_ids: [(await someMessage()).message_id], narrow: [] }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'messages.getRaw': [someMessage, [yes, yes, yes, noMessage, yes, ...outsiders]],
  'messages.edit': [
    async () => ({ ...(await someMessage()), topic: 'tulips' }),
    [yes, yes, yes, noMessage, yes, ...outsiders],
  ],
  'messages.remove': [
    someMessage,
    [yes, yes, 'CANNOT_DELETE_MESSAGE', noMessage, 'CANNOT_DELETE_MESSAGE', ...outsiders],
  ],
  'notifications.explain': [someMessage, [yes, yes, yes, noMessage, yes, ...outsiders]],
  'messages.readReceipts': [someMessage, [yes, yes, yes, noMessage, yes, ...outsiders]],
  'messages.history': [someMessage, [yes, yes, yes, noMessage, yes, ...outsiders]],
  'messages.changeFlags': [
    async () => ({ messages: [(await someMessage()).message_id], op: 'add', flag: 'starred' }),
    [yes, yes, yes, noMessage, yes, ...outsiders],
  ],
  'messages.addReaction': [
    async () => ({ ...(await someMessage()), emoji_name: 'tada' }),
    [yes, yes, yes, noMessage, yes, ...outsiders],
  ],
  'messages.removeReaction': [
    async () => {
      const { message_id } = await someMessage()
      await world.owner.messages.addReaction({ message_id, emoji_name: 'tada' })
      return { message_id, emoji_name: 'tada' }
    },
    [yes, noReaction, noReaction, noMessage, noReaction, ...outsiders],
  ],
  'messages.addSubmessage': [
    async () => ({ message_id: await somePoll(), msg_type: 'widget', content: vote }),
    [yes, yes, yes, noMessage, yes, ...outsiders],
  ],
  'messages.render': [() => ({ content: '**Pruned.**' }), [yes, yes, yes, yes, yes, ...outsiders]],
  'messages.markAllRead': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'messages.markStreamRead': [
    async () => ({ stream_id: (await sameStream()).stream_id }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'messages.markTopicRead': [
    async () => {
      const own = await someStream()
      await sendToStream(world.owner, own, 'roses')
      return { stream_id: own.stream_id, topic_name: 'roses' }
    },
    [yes, 'NO_SUCH_TOPIC', 'NO_SUCH_TOPIC', noStream, 'NO_SUCH_TOPIC', ...outsiders],
  ],
  'drafts.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'drafts.create': [() => ({ drafts: [draft] }), [yes, yes, yes, yes, yes, ...outsiders]],
  // Each caller tries to edit a draft of the owner.
  'drafts.edit': [
    async () => ({ draft_id: await someDraft(), draft }),
    [yes, noDraft, noDraft, noDraft, noDraft, ...outsiders],
  ],
  'drafts.remove': [
    async () => ({ draft_id: await someDraft() }),
    [yes, noDraft, noDraft, noDraft, noDraft, ...outsiders],
  ],
  'presence.report': [() => ({ status: 'active' }), [yes, yes, yes, yes, bots, ...outsiders]],
  'presence.get': [
    async () => {
      const { user_id, presence } = await sameTarget()
      await presence.report({ status: 'active' })
      return { user_id_or_email: String(user_id) }
    },
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'presence.listOf': [() => ({ user_ids: [] }), [yes, yes, yes, yes, yes, ...outsiders]],
  'presence.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'typing.tell': [typingTo, [yes, yes, yes, yes, yes, ...outsiders]],
  'typing.tellShort': [typingTo, [yes, yes, yes, yes, yes, ...outsiders]],
  'subscriptions.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'subscriptions.subscribe': [
    () => ({ subscriptions: [{ name: `stream ${count++}` }] }),
    [yes, yes, yes, notGuests, yes, ...outsiders],
  ],
  'uploads.upload': [
    () => ({ files: [{ name: 'notes.txt', bytes: Buffer.from('x') }] }),
    [yes, yes, yes, yes, yes, ...outsiders],
  ],
  'uploads.getTemporaryLink': [sharedUpload, [yes, yes, yes, noUpload, yes, ...outsiders]],
  'uploads.findTemporaryLink': [sharedUpload, [yes, yes, yes, noUpload, yes, ...outsiders]],
  'uploads.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'uploads.remove': [
    async () => {
      await upload(world.owner)
      return { attachment_id: (await world.owner.uploads.list()).attachments.at(-1)?.id }
    },
    [yes, notTheirUpload, notTheirUpload, notTheirUpload, notTheirUpload, ...outsiders],
  ],
  'subscriptions.change': [
    async () => ({ add: [{ name: `stream ${count++}` }], delete: [(await someStream()).name] }),
    [yes, yes, yes, notGuests, yes, ...outsiders],
  ],
  'subscriptions.unsubscribe': [
    async () => ({ subscriptions: [(await someStream()).name] }),
    // A public stream is hidden from guests who are not subscribed.
    [yes, yes, yes, 'STREAM_DOES_NOT_EXIST', yes, ...outsiders],
  ],
  'subscriptions.setProperties': [
    async () => {
      const { stream_id } = await sameStream()
      return { subscription_data: [{ stream_id, property: 'pin_to_top', value: true }] }
    },
    [yes, notIn, notIn, noStream, notIn, ...outsiders],
  ],
  'subscriptions.setProperty': [
    async () => ({ stream_id: (await sameStream()).stream_id, property: 'color', value: '#abcdef' }),
    [yes, notIn, notIn, noStream, notIn, ...outsiders],
  ],
  'subscriptions.status': [
    async () => ({ user_id: (await sameTarget()).user_id, stream_id: (await sameStream()).stream_id }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'subscriptions.muteTopic': [
    async () => ({ stream_id: (await someStream()).stream_id, topic: 'roses', op: 'add' }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'subscriptions.setAttention': [
    async () => ({ stream_id: (await someStream()).stream_id, topic: 'roses', visibility_policy: 3 }),
    [yes, yes, yes, noStream, yes, ...outsiders],
  ],
  'defaultStreams.add': [
    async () => ({ stream_id: (await someStream()).stream_id }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'defaultStreams.remove': [
    async () => ({ stream_id: (await sameStream()).stream_id }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'defaultStreams.createGroup': [
    async () => ({
      group_name: `Group ${count++}`,
      description: 'Beds',
      stream_names: [(await sameStream()).name],
    }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'defaultStreams.updateGroup': [
    async () => ({ group_id: await someGroup(), new_group_name: `Group ${count++}` }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'defaultStreams.changeGroupStreams': [
    async () => ({ group_id: await someGroup(), op: 'add', stream_names: [(await sameStream()).name] }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'defaultStreams.removeGroup': [
    async () => ({ group_id: await someGroup() }),
    [yes, yes, admin, admin, admin, ...outsiders],
  ],
  'scheduledMessages.list': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
  'scheduledMessages.create': [
    async () => ({
      type: 'stream',
      to: (await sameStream()).stream_id,
      topic: 'roses',
      content: 'Pruned.',
      scheduled_delivery_timestamp: nextWeek(),
    }),
    [yes, yes, yes, 'STREAM_ID_DOES_NOT_EXIST', yes, ...outsiders],
  ],
  // A scheduled message is found only by its author.
  'scheduledMessages.edit': [
    async () => ({ ...(await someScheduledMessage()), content: 'x' }),
    [yes, noScheduled, noScheduled, noScheduled, noScheduled, ...outsiders],
  ],
  'scheduledMessages.remove': [
    someScheduledMessage,
    [yes, noScheduled, noScheduled, noScheduled, noScheduled, ...outsiders],
  ],
  'webhooks.deliver': [
    ({ api_key }) => ({ integration: 'helloworld', ...(api_key && { api_key }) }),
    [
      ...Array.from({ length: 5 }, () => 'ONLY_FOR_WEBHOOK_BOTS'),
      ...['WEBHOOK_ACCOUNT_DEACTIVATED', 'WEBHOOK_WRONG_SUBDOMAIN', 'REQUEST_VARIABLE_MISSING'],
    ],
  ],
  'webhooks.listFailures': [
    async () => ({ bot_id: (await world.bot(`hook${count++}`, world.owner, 2)).user_id }),
    [yes, yes, denied, denied, bots, ...outsiders],
  ],
  'webhooks.replayFailure': [
    async () => ({ bot_id: (await world.bot(`hook${count++}`, world.owner, 2)).user_id, failure_id: 1 }),
    ['NO_SUCH_WEBHOOK_FAILURE', 'NO_SUCH_WEBHOOK_FAILURE', denied, denied, bots, ...outsiders],
  ],
  // This row is last, because the owner's old key stops working.
  'users.regenerateApiKey': [() => ({}), [yes, yes, yes, yes, yes, ...outsiders]],
}

test('the matrix has a row for every endpoint', () => {
  assert.deepEqual(new Set(Object.keys(matrix)), new Set(listEndpoints().map(({ name }) => name)))
})

/** Outcomes that differ if the caller uses a session instead of an API key. */
const sessionOutcomes: Record<string, string> = {
  'sessions.create': yes,
  'users.regenerateApiKey': 'WRONG_PASSWORD',
  'sessions.endCurrent': yes,
  'webhooks.deliver': 'REQUEST_VARIABLE_MISSING',
}

function expectWithSession(name: string, kind: CallerKind, keyOutcome: string): string {
  const isInvalid = kind === 'deactivated' || kind === 'foreigner'
  const isPublic = getEndpoint(name).auth !== 'user'
  if (sessionOutcomes[name] && (isPublic || !isInvalid)) return sessionOutcomes[name]
  // A deactivated account has no sessions, so its cookie has no effect.
  return keyOutcome === 'ACCOUNT_DEACTIVATED' ? 'NOT_LOGGED_IN' : keyOutcome
}

const people = ['owner', 'administrator', 'member', 'guest'] as const

/** Reverts a call that would make all following calls fail. */
async function reactivateAfter(name: string): Promise<void> {
  if (name === 'organization.deactivate')
    await world.database.query('update organization set deactivated_at = null')
}

/**
 * Calls one endpoint for several callers. Calls that were refused or only read have changed nothing,
 * so the next call gets the same objects.
 */
class EndpointCalls {
  readonly #name: string
  readonly #makeParams: Row[0]
  #params: object | undefined

  constructor(name: string, makeParams: Row[0]) {
    this.#name = name
    this.#makeParams = makeParams
  }

  /** Calls the endpoint and returns the outcome. */
  async call(client: Client, caller: CallerKey): Promise<string> {
    this.#params ??= await this.#makeParams(caller)
    const got = await outcome(client, this.#name, this.#params)
    const isReusable = got !== yes || getEndpoint(this.#name).method === 'GET'
    if (!isReusable || this.#makeParams.length > 0) this.#params = undefined
    await reactivateAfter(this.#name)
    if (got === yes) callers.dropAfter(this.#name)
    return got
  }
}

test('every endpoint treats sessions like API keys of the same kind of caller', async () => {
  const invalid = await makeInvalidSessions(world, foreigner)
  for (const [index, [name, [makeParams, expected]]] of Object.entries(matrix).entries()) {
    const expectOf = (kind: CallerKind) =>
      expectWithSession(name, kind, expected[callerKinds.indexOf(kind)] as string)
    const calls = new EndpointCalls(name, makeParams)
    for (const kind of ['deactivated', 'foreigner'] as const)
      assert.equal(await calls.call(invalid[kind], {}), expectOf(kind), `${name} by a session of ${kind}`)
    // The gate tries one kind of caller per endpoint, in rotation.
    const kinds = bySize<readonly (typeof people)[number][]>({
      gate: people.filter((_, number) => number === index % people.length),
      long: people,
    })
    for (const kind of kinds)
      assert.equal(
        await calls.call(await callers.getSession(kind), {}),
        expectOf(kind),
        `${name} by a session of ${kind}`,
      )
  }
})

for (const [name, [makeParams, expected]] of Object.entries(matrix)) {
  test(`${name} responds to each kind of caller with an API key as the matrix states`, async () => {
    const got: Record<string, string> = {}
    const calls = new EndpointCalls(name, makeParams)
    // The owner is last, because the call may change the owner's key, which creates the other callers.
    for (const kind of callerKinds.toReversed()) {
      const caller = await callers.get(kind)
      got[kind] = await calls.call(caller, kind === 'foreigner' ? foreigner : (caller as CallerKey))
    }
    assert.deepEqual(got, Object.fromEntries(callerKinds.map((kind, index) => [kind, expected[index]])))
  })
}
