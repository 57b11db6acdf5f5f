import type { LoadedConfig, Source } from './load-config.ts'
import { type SettingName, settings } from './settings.ts'

export interface ShownSetting {
  name: SettingName
  value: unknown
  source: Source
  env: string
  about: string
}

/** What is in force, fit to be pasted into a bug report: secrets are masked. */
export function showConfig({ config, sources }: LoadedConfig): ShownSetting[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const { env, about, secret } = settings[name] as { env: string; about: string; secret?: 'whole' | 'url' }
    const value = config[name]
    return {
      name,
      value: value === undefined ? null : mask(value, secret),
      source: sources[name],
      env,
      about,
    }
  })
}

function mask(value: unknown, secret: 'whole' | 'url' | undefined): unknown {
  if (secret === 'whole') return '********'
  // The host may be empty (a socket), which URL refuses, so the password is found by its place.
  if (secret === 'url')
    return String(value)
      .replace(/^(\w+:\/\/[^:/@]*:)[^@]*@/, '$1********@')
      .replace(/([?&]password=)[^&]*/, '$1********')
  return value
}
