import type { PasswordResetRow } from '../../platform/database/tables.ts'
import type { SealBinding } from '../../platform/secrets/seal.ts'

export const sealBindingOfReset = ({
  organization_id,
  email,
}: Pick<PasswordResetRow, 'organization_id' | 'email'>): SealBinding => [
  'password reset',
  organization_id,
  email,
]

/** Returns the link to the page on which a person sets a new password. */
export const resetUrl = (origin: string, key: string): string => `${origin}/accounts/password/reset/${key}`
