import { ApiError } from '@oxbow/contract'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { isMethodEnabled } from './views.ts'

type Methods = Readonly<Record<string, boolean>>
type Disabled = Pick<OrganizationRow, 'disabled_authentication_methods'>

/** The ways to sign in that this server has at all. */
const supported = ({ mode }: Config): string[] => (mode === 'development' ? ['Email', 'Dev'] : ['Email'])

/** Of the ways that there are, which are open. */
export function viewMethods(config: Config, organization: Disabled): Record<string, boolean> {
  return Object.fromEntries(
    supported(config).map((method) => [method, isMethodEnabled(method, organization)]),
  )
}

/**
 * Which ones are closed when these are set. Clients send all that they have heard of; what this server does not have
 * changes nothing, and does not count as a way in.
 */
export function closeMethods(config: Config, organization: Disabled, given: Methods): string[] {
  const disabled = new Set(organization.disabled_authentication_methods)
  for (const method of supported(config)) {
    if (given[method] === true) disabled.delete(method)
    if (given[method] === false) disabled.add(method)
  }
  const isShut = supported(config).every((method) => disabled.has(method))
  if (isShut || !Object.values(given).includes(true)) throw new ApiError('NO_AUTHENTICATION_METHOD')
  return [...disabled].sort()
}
