import type { App } from '../../platform/app.ts'
import type { BotServiceRow } from '../../platform/database/tables.ts'
import type { SealBinding } from '../../platform/secrets/seal.ts'
import { randomAlphanumerics } from '../../platform/secrets/secrets.ts'

export type BotConfig = Readonly<Record<string, string>>

type Sealing = Pick<App, 'secrets'>
type BotId = Pick<BotServiceRow, 'organization_id' | 'user_id'>

/** Seals a bot's configuration, which may contain secrets. Returns null if it is empty. */
export function sealConfig({ secrets }: Sealing, bot: BotId, config: BotConfig): Buffer | null {
  return Object.keys(config).length === 0
    ? null
    : secrets.seal(JSON.stringify(config), sealBindingOfConfig(bot))
}

export function openConfig(
  { secrets }: Sealing,
  bot: BotId,
  { config_sealed }: Pick<BotServiceRow, 'config_sealed'>,
): BotConfig {
  return config_sealed ? JSON.parse(secrets.open(config_sealed, sealBindingOfConfig(bot))) : {}
}

/** Makes a token for an outgoing webhook. */
export function sealNewToken({ secrets }: Sealing, bot: BotId): Buffer {
  return secrets.seal(randomAlphanumerics(32), sealBindingOfToken(bot))
}

/** Returns the token of an outgoing webhook, or an empty string if the bot has none. */
export function openToken(
  { secrets }: Sealing,
  bot: BotId,
  { token_sealed }: Pick<BotServiceRow, 'token_sealed'>,
): string {
  return token_sealed ? secrets.open(token_sealed, sealBindingOfToken(bot)) : ''
}

export const sealBindingOfConfig = ({ organization_id, user_id }: BotId): SealBinding => {
  return ['bot configuration', organization_id, user_id]
}

export const sealBindingOfToken = ({ organization_id, user_id }: BotId): SealBinding => {
  return ['bot token', organization_id, user_id]
}
