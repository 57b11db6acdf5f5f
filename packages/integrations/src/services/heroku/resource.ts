import { z } from 'zod'
import {
  bold,
  id,
  ignore,
  line,
  link,
  type Outcome,
  optional,
  read,
  say,
  text,
  unscored,
  unsupported,
  url,
} from '../../writing.ts'

const event = z.object({ resource: text, action: text })

const happened = z.object({
  actor: optional(z.object({ email: text })),
  data: z.object({
    app: z.object({ name: text }),
    status: text,
    output_stream_url: optional(url),
    version: optional(id),
    description: optional(text),
    current: optional(z.boolean()),
  }),
})
type Happened = z.output<typeof happened>

/** Payload of the webhooks of an app. */
export function sayResource(payload: unknown): Outcome {
  const { resource, action } = read(event, payload)
  // Events of dynos, add-ons and domains are too frequent to be useful.
  if (resource !== 'build' && resource !== 'release') return ignore()
  if (action !== 'create' && action !== 'update') return unsupported(`${resource}:${action}`)
  const said = read(happened, payload)
  const content = action === 'create' ? begun(resource, said) : changed(resource, said)
  return say({ event: resource, topic: said.data.app.name, content })
}

function begun(resource: string, { actor, data }: Happened): string {
  const verb = resource === 'build' ? 'started a' : 'created'
  const what = `${nameOf(resource, data)} of ${line(data.app.name)}${about(data)}`
  const said = actor ? `${line(actor.email)} ${verb} ${what}` : `New: ${what}`
  return data.status === 'pending' ? `${said}.` : `${said}. It ${endOf(data)}.`
}

function changed(resource: string, { actor, data }: Happened): string {
  const by = actor ? ` by ${line(actor.email)}` : ''
  const what = `The ${nameOf(resource, data)} of ${line(data.app.name)}${by}${about(data)}`
  return `${what} ${endOf(data)}.${data.current ? ' It is the current one.' : ''}`
}

function endOf({ status }: Happened['data']): string {
  return ['succeeded', 'failed', 'expired'].includes(status) ? bold(status) : `is ${bold(unscored(status))}`
}

function nameOf(resource: string, { version, output_stream_url }: Happened['data']): string {
  return link(resource === 'release' && version ? `release v${version}` : resource, output_stream_url)
}

const about = ({ description }: Happened['data']): string => (description ? ` (${line(description)})` : '')
