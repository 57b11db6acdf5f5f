import { z } from 'zod'
import {
  bold,
  code,
  integration,
  line,
  link,
  optional,
  postMessages,
  quote,
  replaceUnderscores,
  sentence,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { signature } from './signature.ts'

const payload = z.object({
  name: text,
  url,
  branch: text,
  state: optional(text),
  error_message: optional(text),
})
type Deploy = z.output<typeof payload>

const outcomes: Record<string, (deploy: Deploy) => string> = {
  deploy_created: describeState,
  deploy_building: describeState,
  deploy_failed: ({ error_message }) => {
    if (error_message === undefined) return 'failed.'
    return error_message.includes('\n')
      ? `failed:\n${quote(error_message)}`
      : sentence(`failed: ${line(error_message)}`)
  },
  deploy_locked: () => `is now ${bold('locked')}.`,
  deploy_unlocked: () => `is now ${bold('unlocked')}.`,
}

export const service = integration({
  title: 'Netlify',
  client: 'Netlify',
  category: 'Continuous integration',
  signature,
  eventHeader: { name: 'X-Netlify-Event' },
  events: Object.keys(outcomes),
  payload,
  translate({ payload, event }) {
    if (!Object.hasOwn(outcomes, event)) return unsupported(event)
    const subject = `The build of ${link(payload.name, payload.url)} on branch ${code(payload.branch)}`
    return postMessages({ event, topic: payload.branch, content: `${subject} ${outcomes[event]?.(payload)}` })
  },
})

function describeState({ state }: Deploy): string {
  return state === undefined ? 'began.' : `is now ${bold(replaceUnderscores(state))}.`
}
