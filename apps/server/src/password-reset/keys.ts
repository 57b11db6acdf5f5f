import type { PasswordResetRow } from '../platform/database/tables.ts'
import type { SealOwner } from '../platform/seal.ts'

export const sealOwnerOfReset = ({
  organization_id,
  email,
}: Pick<PasswordResetRow, 'organization_id' | 'email'>): SealOwner => [
  'password reset',
  organization_id,
  email,
]

/** Returns the link by which a person sets a new password. */
export const resetUrl = (origin: string, key: string): string => `${origin}/accounts/password/reset/${key}`
