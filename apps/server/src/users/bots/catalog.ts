import { ApiError, countCharacters, maxBotConfigLength } from '@oxbow/contract'
import type { BotConfig } from './service-seals.ts'

/** What a configuration must have: by key, what is wrong with a value, if anything is. */
export type ConfigRules = ReadonlyMap<string, (value: string) => string | undefined>

/** What bots can be made for. */
export interface BotCatalog {
  /** Undefined where there is no integration of this name. */
  findIntegration(name: string): ConfigRules | undefined
  /** Whether the embedded program of this name can work with this configuration. */
  suitsEmbedded(name: string, config: BotConfig): boolean
}

/** Incoming webhooks are made for integrations that there are. What each needs is in its URL, so any configuration does. */
export function catalogOf(integrations: readonly string[]): BotCatalog {
  const names = new Set(integrations)
  return {
    findIntegration: (name) => (names.has(name) ? new Map() : undefined),
    suitsEmbedded: () => true,
  }
}

export function checkIntegration(catalog: BotCatalog, name: string, config: BotConfig): void {
  const rules = catalog.findIntegration(name)
  if (!rules) throw new ApiError('INTEGRATION_UNKNOWN', { name })
  const missing = [...rules.keys()].filter((key) => !Object.hasOwn(config, key))
  if (missing.length > 0) throw new ApiError('BOT_CONFIG_MISSING', { names: missing.join(', ') })
  for (const [key, findProblem] of rules) {
    const value = config[key] ?? ''
    const problem = findProblem(value)
    if (problem !== undefined) throw new ApiError('BOT_CONFIG_VALUE_INVALID', { key, value, problem })
  }
}

export function checkEmbedded(catalog: BotCatalog, name: string, config: BotConfig): void {
  if (!catalog.suitsEmbedded(name, config)) throw new ApiError('BOT_CONFIG_INVALID')
}

/** All of what a bot would have. */
export function refuseLongConfig(config: BotConfig): void {
  const length = Object.entries(config)
    .flat()
    .reduce((sum, text) => sum + countCharacters(text), 0)
  if (length > maxBotConfigLength) throw new ApiError('BOT_CONFIG_TOO_LONG', { limit: maxBotConfigLength })
}
