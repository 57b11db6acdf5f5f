import { ApiError } from '@oxbow/contract'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { isMethodEnabled } from './views.ts'

type MethodChoices = Readonly<Record<string, boolean>>
type DisabledMethods = Pick<OrganizationRow, 'disabled_authentication_methods'>

/** Lists the authentication methods that this server supports. */
const listSupportedMethods = ({ mode }: Config): string[] =>
  mode === 'development' ? ['Email', 'Dev'] : ['Email']

/** Returns the enabled state of each supported authentication method. */
export function viewMethods(config: Config, organization: DisabledMethods): Record<string, boolean> {
  return Object.fromEntries(
    listSupportedMethods(config).map((method) => [method, isMethodEnabled(method, organization)]),
  )
}

/**
 * Returns the disabled methods after a change. Clients send all methods they know; unsupported ones
 * are ignored. Throws unless a supported method stays enabled.
 */
export function listDisabledMethods(
  config: Config,
  organization: DisabledMethods,
  choices: MethodChoices,
): string[] {
  const disabled = new Set(organization.disabled_authentication_methods)
  for (const method of listSupportedMethods(config)) {
    if (choices[method] === true) disabled.delete(method)
    if (choices[method] === false) disabled.add(method)
  }
  const areAllDisabled = listSupportedMethods(config).every((method) => disabled.has(method))
  if (areAllDisabled || !Object.values(choices).includes(true)) throw new ApiError('NO_AUTHENTICATION_METHOD')
  return [...disabled].sort()
}
