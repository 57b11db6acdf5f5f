import {
  ApiError,
  type CommandWidget,
  choicesForm,
  commandWidgets,
  dictionary,
  maxSubmessageBytes,
  type PollStart,
  parseJson,
  parseOrRefuse,
} from '@oxbow/contract'

/**
 * Returns the content of the submessage that makes a message interactive, as JSON. `widgetContent`
 * is the parameter `widget_content` of the request; it takes precedence over a command in the text.
 * Returns undefined if the message has no widget. Throws `WIDGET_INVALID` if `widgetContent` is not
 * a form.
 */
export function startWidget(content: string, widgetContent: string | undefined): string | undefined {
  if (widgetContent !== undefined) return JSON.stringify(parseForm(widgetContent))
  const command = content.split(' ', 1)[0] as string
  const widget = commandWidgets.find((name) => command === `/${name}`)
  if (!widget) return undefined
  return JSON.stringify({
    widget_type: widget,
    extra_data: readCommand(widget, content.slice(command.length)),
  })
}

function readCommand(widget: CommandWidget, rest: string): PollStart | null {
  if (widget !== 'poll') return null
  const [question = '', ...lines] = rest.trim().split(lineBreak)
  const options = lines.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter((option) => option !== '')
  return { question: question.trim(), options }
}

/** All line breaks of the protocol, including Unicode's separators. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

function parseForm(widgetContent: string): object {
  if (Buffer.byteLength(widgetContent) > maxSubmessageBytes)
    throw refuse(`widget_content is too long (limit: ${maxSubmessageBytes} bytes)`)
  const widget = readJson(widgetContent)
  if (!isDictionary(widget)) throw refuse('widget_content is not a dict')
  if (!Object.hasOwn(widget, 'widget_type')) throw refuse('widget_type is not in widget_content')
  if (!Object.hasOwn(widget, 'extra_data')) throw refuse('extra_data is not in widget_content')
  const { widget_type, extra_data } = widget
  if (!isDictionary(extra_data)) throw refuse('extra_data is not a dict')
  if (widget_type !== 'zform') throw refuse(`unknown widget type: ${quote(widget_type)}`)
  if (!Object.hasOwn(extra_data, 'type')) throw refuse('zform is missing type field')
  if (extra_data.type !== 'choices') throw refuse(`unknown zform type: ${quote(extra_data.type)}`)
  return { widget_type, extra_data: parseChoices(extra_data) }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw refuse('API programmer sent invalid JSON content')
  }
}

const isDictionary = (value: unknown): value is Record<string, unknown> =>
  dictionary().safeParse(value).success

/** Formats any JSON value. `String` would fail on an object whose `toString` is not a function. */
const quote = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function parseChoices(extra_data: object): object {
  try {
    return parseOrRefuse(choicesForm, extra_data, 'extra_data')
  } catch (error) {
    if (error instanceof ApiError) throw refuse(error.message)
    throw error
  }
}

const refuse = (problem: string): ApiError => new ApiError('WIDGET_INVALID', { problem })
