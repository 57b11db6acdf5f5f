import { pngOf } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { upload } from '@oxbow/testkit/calls/uploads'
import type { FullGarden } from '@oxbow/testkit/garden/full-garden'
import type { StartedNode } from '@oxbow/testkit/garden/garden'

/** Adds texts with references of every kind to an organization, and rows to tables that are still empty. */
export async function plantReferences(started: StartedNode, garden: FullGarden): Promise<void> {
  const { owner, member, administrator, guest, bot } = garden.accounts
  const [olive, iris, adam] = [started.as(owner), started.as(member), started.as(administrator)]
  const { streams } = await olive.streams.list()
  const roses = streams.find(({ name }) => name === 'roses')?.stream_id ?? 0
  const [first = 0, poll = 0] = garden.known.messages
  const origin = started.node.url
  const picture = await upload(iris, 'rose.png', pngOf(30, 20))
  const near = `#narrow/stream/${roses}-roses/topic/files/near/${first}`
  const texts = [
    `@**Iris Gardener|${member.user_id}** and @_**Olive Owner|${owner.user_id}** and @*pruners* and @**all**`,
    `#**tulips** and #**roses>spring** and :owl: and bed-12`,
    `[here](${near}) and ${origin}/${near} and https://elsewhere.example/#narrow/stream/14-roses/near/16`,
    `${picture} and ${origin}${picture}`,
    `\`\`\`\n<span data-user-id="7"> /user_uploads/1/ab/x ${near} @**Iris Gardener|${member.user_id}**\n\`\`\``,
    `[person](#narrow/pm-with/${member.user_id},${owner.user_id}-group/near/${first}) [x](#narrow/sender/${owner.user_id})`,
    '![](https://pictures.example/a.png?x=1&y=2) https://pictures.example/b.png',
    '$$x^2$$ and ```js\nlet x = 1\n```',
  ]
  for (const text of texts) await sendToStream(olive, 'tulips', 'references', text)
  await olive.messages.send({ type: 'private', to: [member.user_id, bot.user_id], content: texts[0] ?? '' })
  const moved = await sendToStream(olive, 'roses', 'moving', 'Belongs to the tulips.')
  const tulips = streams.find(({ name }) => name === 'tulips')?.stream_id ?? 0
  await olive.messages.edit({ message_id: moved as never, stream_id: tulips as never, topic: 'moved' })
  await iris.messages.addReaction({ message_id: first as never, emoji_name: 'owl' })
  const vote = { type: 'new_option', idx: 1, option: 'Autumn' }
  await iris.messages.addSubmessage({
    message_id: poll as never,
    msg_type: 'widget',
    content: JSON.stringify(vote),
  })
  await olive.messages.addSubmessage({
    message_id: poll as never,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key: `${member.user_id},1`, vote: 1 }),
  })
  await iris.subscriptions.muteTopic({ stream: 'tulips', topic: 'references', op: 'add' })
  await iris.mutedUsers.mute({ muted_user_id: guest.user_id })
  await iris.messages.changeFlags({ messages: [first as never], op: 'add', flag: 'read' })
  await iris.drafts.create({
    drafts: [
      { type: 'private', to: [owner.user_id, guest.user_id] as never, topic: '', content: texts[0] ?? '' },
    ],
  })
  await schedule(iris, { to: 'roses', content: `${texts[0]} ${picture}` })
  const people = (await olive.profileFields.create({ name: 'Neighbours', field_type: 6 })).id
  await iris.users.setProfileData({
    data: [{ id: people, value: [owner.user_id, guest.user_id] as never }],
  })
  await olive.organizationPictures.setIcon({ files: [{ name: 'x.png', bytes: pngOf(20, 20) }] })
  await olive.organization.update({ description: 'All **plants**.', waiting_period_threshold: 3 })
  await olive.domains.add({ domain: 'garden.example', allow_subdomains: true })
  await olive.defaultStreams.add({ stream_id: roses as never })
  await olive.defaultStreams.createGroup({ group_name: 'Beds', description: 'All', stream_names: ['tulips'] })
  const { channel_folder_id } = await olive.streamFolders.create({
    name: 'Beds',
    description: 'With *flowers*',
  })
  await olive.streams.update({ stream_id: roses as never, folder_id: channel_folder_id })
  await iris.streamSections.set({
    stream_sections: [
      { kind: 'own', name: 'Red', stream_ids: [roses as never] },
      { kind: 'shared', folder_id: channel_folder_id, stream_ids: [] },
    ],
  })
  await olive.subscriptions.subscribe({ subscriptions: [{ name: 'weeds' }] })
  const weeds = (await olive.streams.getId({ stream: 'weeds' })).stream_id
  await sendToStream(olive, 'weeds', 'gone', 'Pulled.')
  await olive.streams.archive({ stream_id: weeds })
  await olive.subscriptions.unsubscribe({ subscriptions: ['tulips'], principals: [guest.user_id] })
  await adam.settings.updateDisplay({ twenty_four_hour_time: true })
}
