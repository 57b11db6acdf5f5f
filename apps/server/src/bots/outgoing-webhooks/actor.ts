import { BotType, defaultGeneration } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { originBelow } from '../../platform/http/host.ts'
import type { CalledBot } from './queries.ts'

/** Builds the actor that sends the messages of an outgoing webhook. */
export function toActor({ config }: Pick<App, 'config'>, bot: CalledBot): Actor {
  const { organization_id, id, role, api_key_hash, subdomain } = bot
  return {
    organization_id,
    user_id: id,
    role,
    bot_type: BotType.outgoingWebhook,
    credential: { kind: 'key', hash: api_key_hash },
    subdomain,
    origin: config.external_url === undefined ? '' : originBelow(config.external_url, subdomain),
    client: 'OutgoingWebhookResponse',
    address: '',
    legacyNames: false,
    legacyVersions: false,
    generation: defaultGeneration,
  }
}
