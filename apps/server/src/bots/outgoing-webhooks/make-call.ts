import { BotInterface } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { fetchOutbound } from '../../platform/outbound/fetch-outbound.ts'
import { OutboundRefusal, type OutboundRefusalReason } from '../../platform/outbound/outbound-refusal.ts'
import { type NoticeText, notice } from '../../streams/notice-text.ts'
import { toActor } from './actor.ts'
import { buildRequest } from './build-request.ts'
import { type Call, endCall } from './end-call.ts'
import { callMetrics } from './metrics.ts'
import { describeRefusal } from './problems.ts'
import { type CallAttempt, deleteCall, findBot, findPlace, postponeCall, releaseCall } from './queries.ts'
import { type Answer, readAnswer } from './read-answer.ts'

/** How often a server that cannot be reached is tried again: after 2, 4 and 8 seconds. */
const maxRetries = 3
/**
 * Calls that have waited longer are not made: after an outage, nobody expects a bot to answer old questions.
 */
const maxAgeSeconds = 600

/** Calls the server of a bot, and posts what it answers. Later calls it again if it cannot be reached. */
export async function makeCall(app: App, attempt: CallAttempt, stopping: AbortSignal): Promise<void> {
  const bot = await findBot(app.db, attempt)
  const place = bot && (await findPlace(app.db, attempt))
  if (!bot || !place) {
    await deleteCall(app.db, attempt)
    return
  }
  const call: Call = { attempt, bot, place, actor: toActor(app, bot) }
  const problem = findProblem(call)
  if (problem !== undefined) return endCall(app, call, { kind: 'failure', text: problem })
  try {
    const request = await buildRequest(app, call)
    const response = await fetchOutbound(app.outbound, bot.base_url, { ...request, signal: stopping })
    await endAfterRequest(app, call, readAnswer(response, bot.interface))
  } catch (error) {
    if (!(error instanceof OutboundRefusal)) throw error
    await handleRefusal(app, call, error.reason)
  }
}

/** Ends a call after its request, during which the message may have been moved or deleted. */
async function endAfterRequest(app: App, call: Call, answer: Answer): Promise<void> {
  const place = await findPlace(app.db, call.attempt)
  if (place) await endCall(app, { ...call, place }, answer)
  else await deleteCall(app.db, call.attempt)
}

/** Returns why the server of the bot is not called, as it is said in the conversation. */
function findProblem({ attempt, bot, place }: Call): NoticeText | undefined {
  if (attempt.attempts > maxRetries + 1 || attempt.age_seconds > maxAgeSeconds)
    return notice`Bot is unavailable`
  if (bot.base_url === '') return notice`This bot has no URL`
  if (bot.interface === BotInterface.form && place.is_private)
    return notice`Slack outgoing webhooks don't support private messages.`
  return undefined
}

const temporary: readonly OutboundRefusalReason[] = [
  'unknown host',
  'unreachable',
  'no secure connection',
  'too slow',
  'busy',
]

async function handleRefusal(app: App, call: Call, reason: OutboundRefusalReason): Promise<void> {
  const { attempt } = call
  if (reason === 'aborted') return releaseCall(app.db, attempt)
  const forOwner = describeRefusal(reason)
  if (!temporary.includes(reason))
    return endAfterRequest(app, call, {
      kind: 'failure',
      text: notice`The server of this bot cannot be called`,
      forOwner,
    })
  if (attempt.attempts > maxRetries)
    return endAfterRequest(app, call, { kind: 'failure', text: notice`Bot is unavailable`, forOwner })
  callMetrics(app).calls.inc({ outcome: 'postponed' })
  await postponeCall(app.db, attempt, 2 ** attempt.attempts)
}
