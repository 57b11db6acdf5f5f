import { BotInterface, parseJson } from '@oxbow/contract'
import type { OutboundResponse } from '../../platform/outbound/fetch-outbound.ts'
import { type NoticeText, notice } from '../../streams/notice-text.ts'
import { quoteAnswer } from './problems.ts'

/** The end of a call: the bot says nothing, replies, or reports a failure. */
export type Answer =
  | { kind: 'nothing' }
  | { kind: 'reply'; content: string; widgetContent?: string | undefined }
  | Failure

interface Failure {
  kind: 'failure'
  /** A text for everyone in the conversation. */
  text: NoticeText
  /** The end of a sentence for the owner of the bot; undefined if the owner need not be notified. */
  forOwner?: NoticeText
}

/** Reads the answer of a bot's server. */
export function readAnswer({ status, body }: OutboundResponse, botInterface: BotInterface): Answer {
  if (status < 200 || status > 299) {
    const forOwner = notice`its server answered with status ${status}:\n\n${quoteAnswer(body)}`
    return { kind: 'failure', text: notice`Third party responded with ${status}`, forOwner }
  }
  const answer = parseObject(body)
  if (!answer) {
    const forOwner = notice`its server did not answer with a JSON object:\n\n${quoteAnswer(body)}`
    return { kind: 'failure', text: notice`Invalid JSON in response`, forOwner }
  }
  if (answer.response_not_required === true) return { kind: 'nothing' }
  const content =
    botInterface === BotInterface.form ? answer.text : (answer.response_string ?? answer.content)
  if (typeof content !== 'string' || content.trim() === '') return { kind: 'nothing' }
  // Half a surrogate pair would make events that some clients cannot parse.
  return { kind: 'reply', content: content.toWellFormed(), widgetContent: readWidget(answer.widget_content) }
}

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const text = body.toString('utf8')
    // Refuses deep nesting, on which `JSON.stringify` would fail. Its numbers are not those of `JSON.parse`.
    parseJson(text)
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Servers send a widget as JSON in a text, as in a request, or as an object. */
function readWidget(widget: unknown): string | undefined {
  if (widget === undefined || widget === null) return undefined
  return typeof widget === 'string' ? widget : JSON.stringify(widget)
}
