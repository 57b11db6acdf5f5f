import { z } from 'zod'
import { bold, code, codeBlock, type Outcome, postMessages, read, text } from '../../writing.ts'

const form = z.object({ user_name: text, text, channel_name: text })

export type ChooseDestination = (channel: string) => { stream: string; topic: string }

/** Translates a delivery of an outgoing webhook of Slack. */
export function translateForm(payload: unknown, chooseDestination: ChooseDestination): Outcome {
  const { user_name, text, channel_name } = read(form, payload)
  const words = text.includes('\n') ? `\n${codeBlock(text)}` : ` ${code(text)}`
  return postMessages({ ...chooseDestination(channel_name), content: `${bold(user_name)}:${words}` })
}
