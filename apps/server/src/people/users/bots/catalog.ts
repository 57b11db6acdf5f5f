import { ApiError, countCharacters, maxBotConfigLength } from '@oxbow/contract'
import type { BotConfig } from '../../../identity/accounts/service-seals.ts'

/**
 * Required keys of a configuration. Each function returns what is wrong with a value, or undefined
 * if the value is valid.
 */
type ConfigRules = ReadonlyMap<string, (value: string) => string | undefined>

/** The integrations and embedded programs that bots can be created for. */
export interface BotCatalog {
  /** Returns the rules of an integration; undefined if there is none of this name. */
  findIntegration(name: string): ConfigRules | undefined
  /** Returns whether an embedded program has this name and accepts this configuration. */
  canRunEmbedded(name: string, config: BotConfig): boolean
}

/**
 * Creates a catalog of these integrations. It accepts any configuration, because the options of an
 * integration are in the webhook's URL.
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

/** Throws if the complete configuration, including values that were set before, is too long. */
export function refuseLongConfig(config: BotConfig): void {
  const length = Object.entries(config)
    .flat()
    .reduce((sum, text) => sum + countCharacters(text), 0)
  if (length > maxBotConfigLength) throw new ApiError('BOT_CONFIG_TOO_LONG', { limit: maxBotConfigLength })
}
