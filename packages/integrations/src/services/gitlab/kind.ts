import { z } from 'zod'
import { optional, read, text } from '../../writing.ts'

const hints = z.object({
  event_name: optional(text),
  object_kind: optional(text),
  object_attributes: optional(z.object({ action: optional(text), noteable_type: optional(text) })),
})

/**
 * Returns the value of the event header, followed by the action or by the type of item that a note is
 * about: `Issue Hook close`, `Note Hook Commit`. For system hooks, the payload names the event.
 */
export function getEventKind(header: string, payload: unknown): string {
  const { event_name, object_kind, object_attributes } = read(hints, payload)
  const hook = header === 'System Hook' ? asHook(event_name ?? object_kind ?? header) : header
  if (/^(?:Confidential )?Issue Hook$|^(?:Merge Request|Wiki Page) Hook$/.test(hook))
    return `${hook} ${object_attributes?.action ?? 'open'}`
  if (/^(?:Confidential )?Note Hook$/.test(hook) && object_attributes?.noteable_type)
    return `${hook} ${object_attributes.noteable_type}`
  return hook
}

/** Returns `Tag Push Hook` for `tag_push`. */
function asHook(name: string): string {
  const words = name.split(/[_ ]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
  return words.at(-1) === 'Hook' ? words.join(' ') : `${words.join(' ')} Hook`
}
