import { ApiError, countCharacters, maxBotConfigLength } from '@oxbow/contract'
import type { BotConfig } from './service-seals.ts'

/**
 * Required keys of a configuration. Each function returns the problem of a value, or undefined if
 * it is valid.
 */
export type ConfigRules = ReadonlyMap<string, (value: string) => string | undefined>

/** The integrations and embedded programs that bots can be created for. */
export interface BotCatalog {
  /** Returns undefined if there is no integration of this name. */
  findIntegration(name: string): ConfigRules | undefined
  /** Returns whether an embedded program has this name and accepts this configuration. */
  canRunEmbedded(name: string, config: BotConfig): boolean
}

/**
 * Creates a catalog of these integrations. Their options are in the webhook's URL, so any
 * configuration is valid.
 */
export function createBotCatalog(integrations: readonly string[]): BotCatalog {
  const names = new Set(integrations)
  return {
    findIntegration: (name) => (names.has(name) ? new Map() : undefined),
    canRunEmbedded: () => true,
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
  if (!catalog.canRunEmbedded(name, config)) throw new ApiError('BOT_CONFIG_INVALID')
}

/** Throws if the complete configuration is too long. It includes values that were set before. */
export function refuseLongConfig(config: BotConfig): void {
  const length = Object.entries(config)
    .flat()
    .reduce((sum, text) => sum + countCharacters(text), 0)
  if (length > maxBotConfigLength) throw new ApiError('BOT_CONFIG_TOO_LONG', { limit: maxBotConfigLength })
}
