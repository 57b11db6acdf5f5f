import type { LoadedConfig, SettingSource } from './load-config.ts'
import { type SettingName, settings } from './settings.ts'

export interface ShownSetting {
  name: SettingName
  value: unknown
  source: SettingSource
  env: string
  about: string
}

/** Lists the effective settings with secrets masked, safe to paste into a bug report. */
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
  if (secret === 'whole') return maskText
  return secret === 'url' ? maskUrl(String(value)) : value
}

const maskText = '********'

/**
 * Finds passwords by position rather than by a URL parser, because many URLs that work are not formally
 * valid: the host may be empty (for a socket), the user name may be an e-mail address, and the password may
 * contain any character.
 */
function maskUrl(url: string): string {
  const [, scheme = '', rest = ''] = /^(\w+:\/\/)(.*)$/s.exec(url) ?? []
  const at = rest.lastIndexOf('@')
  const [credentials, location] = at === -1 ? [undefined, rest] : [rest.slice(0, at), rest.slice(at + 1)]
  const user = credentials?.split(':')[0]
  const maskedCredentials =
    credentials === undefined ? '' : credentials.includes(':') ? `${user}:${maskText}@` : `${user}@`
  return (
    scheme +
    maskedCredentials +
    location.replace(/([?&][^=&]*(?:pass|key|secret|token)[^=&]*=)[^&]*/gi, `$1${maskText}`)
  )
}
