import { z } from 'zod'
import {
  bold,
  bullets,
  ignore,
  link,
  type Outcome,
  optional,
  postMessages,
  read,
  respondWith,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { toMarkdown } from '../slack_incoming/mrkdwn.ts'
import type { ChooseDestination } from './form.ts'

const event = z.object({ type: text })

const message = z.object({
  channel: text,
  user: optional(text),
  username: optional(text),
  user_profile: optional(z.object({ display_name: optional(text), real_name: optional(text) })),
  text: optional(text),
  files: optional(z.array(z.object({ name: text, permalink: optional(url) }))),
  subtype: optional(text),
  bot_id: optional(text),
})

/** Subtypes of messages that people wrote. Other subtypes report changes of messages or channels. */
const messageSubtypes = ['me_message', 'file_share', 'thread_broadcast']

/** Translates a delivery of the Events API. */
export function translateEvent(
  payload: Record<string, unknown>,
  chooseDestination: ChooseDestination,
): Outcome {
  const { type } = read(event, payload)
  // Slack sends this once, when a user enters the URL.
  if (type === 'url_verification') return respondWith(read(z.object({ challenge: text }), payload))
  if (type !== 'event_callback') return unsupported(type)
  const { event: happened } = read(z.object({ event }), payload)
  if (happened.type !== 'message') return unsupported(happened.type)
  return translateMessage(read(z.object({ event: message }), payload).event, chooseDestination)
}

function translateMessage(
  slackMessage: z.output<typeof message>,
  chooseDestination: ChooseDestination,
): Outcome {
  // Messages of bots may have come from this server, so copying them could loop forever.
  if (slackMessage.bot_id !== undefined) return ignore()
  if (slackMessage.subtype !== undefined && !messageSubtypes.includes(slackMessage.subtype)) return ignore()
  const { user_profile: profile, files = [] } = slackMessage
  const sender =
    profile?.display_name ?? profile?.real_name ?? slackMessage.username ?? slackMessage.user ?? 'Someone'
  const words = [
    slackMessage.text && toMarkdown(slackMessage.text),
    bullets(files.map(({ name, permalink }) => link(name, permalink))),
  ]
    .filter(Boolean)
    .join('\n')
  if (words === '') return ignore()
  const separator = /^[*`~>]/m.test(words) ? '\n' : ' '
  return postMessages({
    ...chooseDestination(slackMessage.channel),
    content: `${bold(sender)}:${separator}${words}`,
  })
}
