import type { Bot, BotService } from '@oxbow/contract'
import { BotType } from '@oxbow/contract/plain'
import { computed, effect, signal } from '@preact/signals'
import { botCreationPolicy, bots, isAdministrator, isGuest, ownId } from '../store.ts'
import { nameOrder } from '../streams/streams.ts'

/** The user's bots by name, including deactivated ones. Their keys and tokens are empty. */
export const ownBots = computed(() =>
  (bots.value ?? [])
    .filter(({ owner_id }) => owner_id !== null && owner_id === ownId.value)
    .sort((one, other) => nameOrder.compare(one.full_name, other.full_name)),
)

/** Id of the bot that the user has just created, until it is among `ownBots`. */
export const createdBot = signal<number | undefined>(undefined)
// If the bot gets another owner later, it is no longer expected.
effect(() => {
  if (ownBots.value.some(({ user_id }) => user_id === createdBot.value)) createdBot.value = undefined
})

/** Policies of the organization, as the protocol's numbers. */
const policies = { everyone: 1, genericByAdministrators: 2 } as const

/** Returns the types of bots that the user may create. Reads signals. */
export function listCreatableTypes(): BotType[] {
  const restricted = [BotType.incomingWebhook, BotType.outgoingWebhook]
  const policy = botCreationPolicy.value
  if (isGuest.value) return []
  if (isAdministrator.value || policy === policies.everyone) return [BotType.generic, ...restricted]
  return policy === policies.genericByAdministrators ? restricted : []
}

/** URL and payload form of an outgoing webhook. */
export type OutgoingService = Extract<BotService, { base_url: string }>

/** Returns the service of an outgoing webhook; undefined for other types of bots. */
export const findOutgoingService = ({ services }: Pick<Bot, 'services'>): OutgoingService | undefined =>
  services.find((service): service is OutgoingService => 'base_url' in service)
