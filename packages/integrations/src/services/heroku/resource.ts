import { z } from 'zod'
import {
  bold,
  id,
  ignore,
  line,
  link,
  type Outcome,
  optional,
  postMessages,
  read,
  replaceUnderscores,
  text,
  unsupported,
  url,
} from '../../writing.ts'

const event = z.object({ resource: text, action: text })

const resourceEventSchema = z.object({
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
type ResourceEvent = z.output<typeof resourceEventSchema>

/** Translates a delivery of an app's webhooks. */
export function translateResource(payload: unknown): Outcome {
  const { resource, action } = read(event, payload)
  // Events of dynos, add-ons and domains are too frequent to be useful.
  if (resource !== 'build' && resource !== 'release') return ignore()
  if (action !== 'create' && action !== 'update') return unsupported(`${resource}:${action}`)
  const resourceEvent = read(resourceEventSchema, payload)
  const content =
    action === 'create' ? describeCreation(resource, resourceEvent) : describeUpdate(resource, resourceEvent)
  return postMessages({ event: resource, topic: resourceEvent.data.app.name, content })
}

function describeCreation(resource: string, { actor, data }: ResourceEvent): string {
  const verb = resource === 'build' ? 'started a' : 'created'
  const subject = `${linkResource(resource, data)} of ${line(data.app.name)}${formatDescription(data)}`
  const headline = actor ? `${line(actor.email)} ${verb} ${subject}` : `New: ${subject}`
  return data.status === 'pending' ? `${headline}.` : `${headline}. It ${describeStatus(data)}.`
}

function describeUpdate(resource: string, { actor, data }: ResourceEvent): string {
  const by = actor ? ` by ${line(actor.email)}` : ''
  const subject = `The ${linkResource(resource, data)} of ${line(data.app.name)}${by}${formatDescription(data)}`
  return `${subject} ${describeStatus(data)}.${data.current ? ' It is the current one.' : ''}`
}

function describeStatus({ status }: ResourceEvent['data']): string {
  return ['succeeded', 'failed', 'expired'].includes(status)
    ? bold(status)
    : `is ${bold(replaceUnderscores(status))}`
}

function linkResource(resource: string, { version, output_stream_url }: ResourceEvent['data']): string {
  return link(resource === 'release' && version ? `release v${version}` : resource, output_stream_url)
}

const formatDescription = ({ description }: ResourceEvent['data']): string =>
  description ? ` (${line(description)})` : ''
