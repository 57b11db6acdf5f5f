import type { App } from '../platform/app.ts'
import type { UserRow } from '../platform/database/tables.ts'
import type { SealBinding } from '../platform/secrets/seal.ts'
import { randomAlphanumerics } from '../platform/secrets/secrets.ts'

export const makeApiKey = (): string => randomAlphanumerics(32)

type Account = Pick<UserRow, 'organization_id' | 'id'>

/**
 * Returns the columns that store an API key: its hash, to look it up, and the sealed key, to show
 * it again.
 */
export function apiKeyColumns(
  { secrets }: Pick<App, 'secrets'>,
  account: Account,
  api_key: string,
): Pick<UserRow, 'api_key_hash' | 'api_key_sealed'> {
  return {
    api_key_hash: secrets.hash(api_key),
    api_key_sealed: secrets.seal(api_key, sealBindingOfKey(account)),
  }
}

export function openApiKey(
  { secrets }: Pick<App, 'secrets'>,
  account: Account & Pick<UserRow, 'api_key_sealed'>,
): string {
  return secrets.open(account.api_key_sealed, sealBindingOfKey(account))
}

export const sealBindingOfKey = ({ organization_id, id }: Account): SealBinding => [
  'api key',
  organization_id,
  id,
]
