import { ApiError, parseJson, parseOrRefuse, widgetActions } from '@oxbow/contract'
import { z } from 'zod'

const typedAction = z.looseObject({ type: z.string() })

/** Parses the content of a submessage. Throws if it is not JSON. */
export function parseSubmessage(content: string): unknown {
  try {
    return parseJson(content)
  } catch {
    throw new ApiError('SUBMESSAGE_NOT_JSON')
  }
}

/**
 * Throws if the submessage is not an action of the message's widget, or if the action is reserved
 * for the message's author. `widget` is the JSON of the submessage that made the message
 * interactive. Widgets other than polls and to-do lists accept any content.
 */
export function checkAction(widget: string | null, action: unknown, isAuthor: boolean): void {
  const type = widget === null ? undefined : readWidgetType(widget)
  if (type !== 'poll' && type !== 'todo') return
  const actions: Readonly<Record<string, z.ZodType>> = widgetActions[type]
  const name = parseOrRefuse(typedAction, action, `${type} data`).type
  const schema = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!schema) throw new ApiError('WIDGET_ACTION_UNKNOWN', { widget: type, type: name })
  if (name === 'question' && !isAuthor) throw new ApiError('QUESTION_OF_OTHERS')
  parseOrRefuse(schema, action, `${type} data`)
}

function readWidgetType(widget: string): unknown {
  try {
    return (parseJson(widget) as { widget_type?: unknown } | null)?.widget_type
  } catch {
    return undefined
  }
}
