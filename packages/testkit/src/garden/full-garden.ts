import { addBotByOperator, addUserByOperator, createBotCatalog } from '@oxbow/server'
import { sendToStream } from '../calls/messages.ts'
import { schedule } from '../calls/scheduled-messages.ts'
import { upload } from '../calls/uploads.ts'
import { pngOf } from '../picture.ts'
import { type Credentials, createGardenOrganization, type StartedNode } from './garden.ts'
import type { Known } from './read-everything.ts'

type Account = Credentials & { user_id: number }

export interface FullGarden {
  accounts: Record<'owner' | 'administrator' | 'member' | 'guest' | 'bot', Account>
  known: Known
  /** Path of an uploaded file that a message links to. */
  upload: string
}

/**
 * Creates an organization with rows in nearly every table, with files, and with an account of each
 * role.
 */
export async function createFullOrganization(started: StartedNode): Promise<FullGarden> {
  const { owner, iris } = await createGardenOrganization(started)
  const { app } = started.node
  const add = (name: string, role: 'administrator' | 'guest') =>
    addUserByOperator(app, { subdomain: '', email: `${name}@garden.example`, full_name: `${name} G.`, role })
  const administrator = await add('adam', 'administrator')
  const guest = await add('greta', 'guest')
  const bot = await addBotByOperator(app, createBotCatalog([]), {
    subdomain: '',
    origin: 'http://garden.example',
    name: 'Herald',
    short_name: 'herald',
    type: 'generic',
    owner: iris.email,
  })
  const [olive, client, herald] = [started.as(owner), started.as(iris), started.as(bot)]
  const all = [owner, iris, administrator, guest, bot].map(({ user_id }) => user_id)
  await olive.subscriptions.subscribe({
    subscriptions: [{ name: 'roses' }, { name: 'tulips' }],
    principals: all,
  })
  await olive.subscriptions.subscribe({
    subscriptions: [{ name: 'cellar' }],
    principals: [owner.user_id, administrator.user_id],
    invite_only: true,
  })
  // Not active, because that ends after some minutes, and a test on a busy machine may take longer.
  await client.presence.report({ status: 'idle' })
  const path = await upload(client)
  const first = await sendToStream(
    client,
    'roses',
    'files',
    `[notes](${path}), pruned\tand\\watered\nNULL \\N`,
  )
  await client.messages.edit({ message_id: first, content: `[notes](${path}), pruned twice 🌹` })
  const second = await sendToStream(herald, 'tulips', 'bulbs', '/poll When?\nSpring')
  await sendToStream(olive, 'cellar', 'keys', 'Nobody else may see where the key is.')
  await client.messages.changeFlags({ messages: [first], op: 'add', flag: 'starred' })
  await olive.messages.addReaction({ message_id: first, emoji_name: 'tada' })
  await client.drafts.create({ drafts: [{ type: '', to: [], topic: '', content: 'Unfinished.' }] })
  await schedule(client, { to: 'roses', content: 'Later.' })
  await client.alertWords.add({ alert_words: ['aphids'] })
  await client.users.setAvatar({ files: [{ name: 'x.png', bytes: pngOf(20, 20) }] })
  await olive.emoji.upload({ emoji_name: 'owl', files: [{ name: 'x.png', bytes: pngOf(20, 20) }] })
  await olive.profileFields.create({ name: 'Bed', field_type: 1 })
  await olive.linkifiers.add({
    pattern: 'bed-(?P<id>[0-9]+)',
    url_format_string: 'https://beds.example/%(id)s',
  })
  await olive.userGroups.create({ name: 'pruners', description: 'All', members: [iris.user_id] })
  await herald.botStorage.write({ storage: { seen: 'yes' } })
  await client.userStatus.set({ status_text: 'outside' })
  const { streams } = await olive.streams.list()
  for (const { stream_id, name } of streams)
    if (name === 'tulips')
      await client.subscriptions.setAttention({ stream_id, topic: 'bulbs', visibility_policy: 3 })
  return {
    accounts: { owner, administrator, member: iris, guest, bot },
    known: {
      messages: [first, second],
      streams: streams.map(({ stream_id }) => stream_id),
      users: all,
      bot: bot.user_id,
      email: iris.email,
    },
    upload: path,
  }
}
