import type { App } from '../../platform/app.ts'
import type { BotServiceRow } from '../../platform/database/tables.ts'

export type BotConfig = Readonly<Record<string, string>>

/** It may hold secrets, so the database knows it sealed only. */
export function sealConfig({ secrets }: Pick<App, 'secrets'>, config: BotConfig): Buffer | null {
  return Object.keys(config).length === 0 ? null : secrets.encrypt(JSON.stringify(config))
}

export function openConfig(
  { secrets }: Pick<App, 'secrets'>,
  { config_sealed }: Pick<BotServiceRow, 'config_sealed'>,
): BotConfig {
  return config_sealed ? JSON.parse(secrets.decrypt(config_sealed)) : {}
}
