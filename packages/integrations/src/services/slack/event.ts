import { z } from 'zod'
import {
  answer,
  bold,
  bullets,
  ignore,
  link,
  type Outcome,
  optional,
  read,
  say,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { toMarkdown } from '../slack_incoming/mrkdwn.ts'
import type { Place } from './form.ts'

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

/** Subtypes of messages that people wrote. Other subtypes are events of messages or channels. */
const spoken = ['me_message', 'file_share', 'thread_broadcast']

/** Payload of the Events API. */
export function sayEvent(payload: Record<string, unknown>, place: Place): Outcome {
  const { type } = read(event, payload)
  // Slack sends this once, when the URL is entered.
  if (type === 'url_verification') return answer(read(z.object({ challenge: text }), payload))
  if (type !== 'event_callback') return unsupported(type)
  const { event: happened } = read(z.object({ event }), payload)
  if (happened.type !== 'message') return unsupported(happened.type)
  return sayMessage(read(z.object({ event: message }), payload).event, place)
}

function sayMessage(said: z.output<typeof message>, place: Place): Outcome {
  // Messages of bots may have come from this server, so copying them could loop forever.
  if (said.bot_id !== undefined) return ignore()
  if (said.subtype !== undefined && !spoken.includes(said.subtype)) return ignore()
  const { user_profile: profile, files = [] } = said
  const sender = profile?.display_name ?? profile?.real_name ?? said.username ?? said.user ?? 'Someone'
  const words = [
    said.text && toMarkdown(said.text),
    bullets(files.map(({ name, permalink }) => link(name, permalink))),
  ]
    .filter(Boolean)
    .join('\n')
  if (words === '') return ignore()
  const separator = /^[*`~>]/m.test(words) ? '\n' : ' '
  return say({ ...place(said.channel), content: `${bold(sender)}:${separator}${words}` })
}
