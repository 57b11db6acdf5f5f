import { readFileSync } from 'node:fs'
import { findNearestName } from './nearest-name.ts'
import { type Config, type SettingName, settings } from './settings.ts'

export type SettingSource = 'default' | 'environment' | 'file' | 'command line'

export interface LoadedConfig {
  config: Config
  sources: Record<SettingName, SettingSource>
  /** The file that was read, if any. */
  file?: string
}

/** Lists all problems of the configuration for the operator, one per line. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(['The configuration needs a change:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
    this.name = 'ConfigError'
  }
}

type RawSettings = Partial<Record<SettingName, unknown>>

/**
 * Loads all settings. The command line takes precedence over the environment, which takes precedence over the
 * file.
 */
export function loadConfig(overrides: RawSettings = {}, env: NodeJS.ProcessEnv = process.env): LoadedConfig {
  const file = env.OXBOW_CONFIG
  const fromFile = file ? readConfigFile(file) : {}
  const config: Record<string, unknown> = {}
  const sources: Record<string, SettingSource> = {}
  const problems: string[] = []

  for (const name of Object.keys(settings) as SettingName[]) {
    const { env: variable, schema } = settings[name]
    // Service files unset a variable by making it empty.
    const fromEnv = env[variable] || undefined
    const [rawValue, source, location] = firstDefined([
      [overrides[name], 'command line', `--${name.replaceAll('_', '-')}`],
      [fromEnv, 'environment', variable],
      [fromFile[name], 'file', `${name} in ${file}`],
    ])
    const parsed = schema.safeParse(rawValue)
    config[name] = parsed.data
    sources[name] = source
    if (!parsed.success) problems.push(`${location}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
  }
  if (problems.length === 0) problems.push(...findContradictions(config as Config))
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    config: config as Config,
    sources: sources as Record<SettingName, SettingSource>,
    ...(file && { file }),
  }
}

/** Describes combinations of settings that contradict each other. */
function findContradictions({ max_upload_mib, upload_mib_per_day }: Config): string[] {
  if (upload_mib_per_day === 0 || upload_mib_per_day >= max_upload_mib) return []
  const [perDay, perFile] = [settings.upload_mib_per_day.env, settings.max_upload_mib.env]
  return [
    `${perDay} (${upload_mib_per_day}) is smaller than ${perFile} (${max_upload_mib}), so the largest files could never be uploaded: set ${perDay} to at least ${max_upload_mib}, or to 0 for no limit, or ${perFile} to at most ${upload_mib_per_day}`,
  ]
}

function firstDefined(candidates: [unknown, SettingSource, string][]): [unknown, SettingSource, string] {
  return candidates.find(([value]) => value !== undefined) ?? [undefined, 'default', 'default']
}

function readConfigFile(file: string): RawSettings {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new ConfigError([
      `OXBOW_CONFIG names ${file}, which cannot be read as JSON: ${(cause as Error).message}`,
    ])
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new ConfigError([`${file} must hold one JSON object, like {"port": 8484}`])
  }
  const unknown = Object.keys(parsed).filter((name) => !Object.hasOwn(settings, name))
  if (unknown.length > 0) {
    const described = unknown.map((name) => {
      const meant = findNearestName(name, Object.keys(settings))
      return meant ? `${name} (did you mean ${meant}?)` : name
    })
    throw new ConfigError([
      `${file} has settings that do not exist: ${described.join(', ')}. The ones that do: ${Object.keys(settings).join(', ')}`,
    ])
  }
  return parsed as RawSettings
}
