import type { App } from '../../platform/app.ts'
import type { InvitationRow, SignUpRow } from '../../platform/database/tables.ts'
import type { SealBinding } from '../../platform/secrets/seal.ts'
import { randomAlphanumerics } from '../../platform/secrets/secrets.ts'

export interface LinkKey {
  key: string
  columns: { key_hash: Buffer; key_sealed: Buffer }
}

/** Creates the secret key of a link, and the columns that store its hash and the sealed key. */
export function makeLinkKey({ secrets }: Pick<App, 'secrets'>, binding: SealBinding): LinkKey {
  const key = randomAlphanumerics(24, 'abcdefghijklmnopqrstuvwxyz0123456789')
  return { key, columns: { key_hash: secrets.hash(key), key_sealed: secrets.seal(key, binding) } }
}

type BoundInvitation = Pick<InvitationRow, 'organization_id' | 'invited_by' | 'role' | 'email'>

/**
 * Returns the values that the sealed key is bound to. They include the role, because the role
 * decides who may see the link.
 */
export const sealBindingOfInvitation = (invitation: BoundInvitation): SealBinding => {
  const { organization_id, invited_by, role, email } = invitation
  return ['invitation', organization_id, invited_by, role, email]
}

type BoundSignUp = Pick<SignUpRow, 'organization_id' | 'email' | 'invitation_id'>

export const sealBindingOfSignUp = ({ organization_id, email, invitation_id }: BoundSignUp): SealBinding => {
  return ['sign-up', organization_id, email, invitation_id]
}

/** Returns the confirmation link of an e-mail. */
export const confirmUrl = (origin: string, key: string): string => `${origin}/accounts/do_confirm/${key}`
/** Returns the URL of an invitation link. */
export const joinUrl = (origin: string, key: string): string => `${origin}/join/${key}/`
