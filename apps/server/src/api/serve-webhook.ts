import { ApiError, BotType, decode } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admitDelivery } from '../bots/webhooks/admit-delivery.ts'
import { authenticate } from '../identity/authenticate.ts'
import type { Actor } from '../platform/actor.ts'
import type { Handler } from '../platform/http/bind.ts'
import { type BoundEndpoint, decideCall, refuseUnlessMayCall } from '../platform/http/bind.ts'
import { readCaller } from '../platform/http/read-caller.ts'
import { countRequest } from '../platform/http/request-limits.ts'
import { rerunIfActorChanged } from '../platform/http/rerun-action.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { sendResult } from './send-result.ts'

/**
 * Returns the handler of an endpoint for deliveries of other services. Unlike other requests, a delivery may
 * contain its key in the body, and its body has no declared parameters.
 */
export const serveWebhook = (context: EndpointContext, bound: BoundEndpoint): Handler =>
  sendResult(context, bound, (request, reply) => runDelivery(context, bound, request, reply))

async function runDelivery(
  context: EndpointContext,
  bound: BoundEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { app } = context
  const anonymous = readCaller(app, request)
  const { caller, credentials, delivery } = await admitDelivery(request, async (deliveryCredentials) => {
    const bot = await authenticate(app, anonymous, deliveryCredentials)
    request.account = bot
    countRequest(context, bound, bot, reply)
    if (mayDeliver(bound, bot)) return bot
    // The cached account may be outdated, so the refusal is confirmed with the account as stored now.
    const freshBot = await authenticate(app, anonymous, deliveryCredentials, { isFresh: true })
    refuseUnlessMayDeliver(bound, freshBot)
    return freshBot
  })
  if (!delivery) return {}
  const requestArguments = new Map([...delivery.query, ...delivery.form])
  const path = request.params as Record<string, string>
  const params = decode(bound.endpoint, { path, arguments: requestArguments }, {})
  const deliver = (bot: Actor) => bound.action(app, bot, params as never, delivery)
  return deliver(caller).catch((error: unknown) =>
    rerunIfActorChanged(error, async () => {
      const freshBot = await authenticate(app, caller, credentials, { isFresh: true })
      refuseUnlessMayDeliver(bound, freshBot)
      return deliver({ ...freshBot, client: caller.client })
    }),
  )
}

const mayDeliver = ({ endpoint }: BoundEndpoint, bot: Actor): boolean =>
  bot.bot_type === BotType.incomingWebhook && decideCall(bot, endpoint).allowed

function refuseUnlessMayDeliver({ endpoint }: BoundEndpoint, bot: Actor): void {
  if (bot.bot_type !== BotType.incomingWebhook) throw new ApiError('ONLY_FOR_WEBHOOK_BOTS')
  refuseUnlessMayCall(bot, endpoint)
}
