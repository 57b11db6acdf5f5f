import { BotInterface, BotType } from '@oxbow/contract/plain'
import { t } from '../text/t.ts'

const names: Readonly<Record<BotType, () => string>> = {
  [BotType.generic]: () => t('bots.generic'),
  [BotType.incomingWebhook]: () => t('bots.incoming'),
  [BotType.outgoingWebhook]: () => t('bots.outgoing'),
  [BotType.embedded]: () => t('bots.embedded'),
}

const hints: Readonly<Partial<Record<BotType, () => string>>> = {
  [BotType.generic]: () => t('bots.generic_hint'),
  [BotType.incomingWebhook]: () => t('bots.incoming_hint'),
  [BotType.outgoingWebhook]: () => t('bots.outgoing_hint'),
}

/** Returns the name of a type of bots. */
export const nameBotType = (type: BotType): string => names[type]()

/** Returns a sentence about a type of bots; empty for types that cannot be created. */
export const describeBotType = (type: BotType): string => hints[type]?.() ?? ''

/** The forms in which an outgoing webhook can be called, with their names. */
export const listPayloadForms = (): { value: BotInterface; text: string }[] => [
  { value: BotInterface.json, text: t('bots.form_json') },
  { value: BotInterface.form, text: t('bots.form_slack') },
]
