import type { App } from '../platform/app.ts'
import type { InvitationRow, SignUpRow } from '../platform/database/tables.ts'
import type { SealOwner } from '../platform/seal.ts'
import { randomAlphanumerics } from '../platform/secrets.ts'

export interface LinkKey {
  key: string
  columns: { key_hash: Buffer; key_sealed: Buffer }
}

/** Makes the secret of a link, and the columns by which the database knows it. */
export function makeLinkKey({ secrets }: Pick<App, 'secrets'>, owner: SealOwner): LinkKey {
  const key = randomAlphanumerics(24, 'abcdefghijklmnopqrstuvwxyz0123456789')
  return { key, columns: { key_hash: secrets.hash(key), key_sealed: secrets.seal(key, owner) } }
}

type InvitationOwner = Pick<InvitationRow, 'organization_id' | 'invited_by' | 'role' | 'email'>

/** The role is part of it: who is shown a link depends on the role. */
export const ownerOfInvitation = (invitation: InvitationOwner): SealOwner => {
  const { organization_id, invited_by, role, email } = invitation
  return ['invitation', organization_id, invited_by, role, email]
}

type SignUpOwner = Pick<SignUpRow, 'organization_id' | 'email' | 'invitation_id'>

export const ownerOfSignUp = ({ organization_id, email, invitation_id }: SignUpOwner): SealOwner => {
  return ['sign-up', organization_id, email, invitation_id]
}

/** What a letter has. */
export const confirmUrl = (origin: string, key: string): string => `${origin}/accounts/do_confirm/${key}`
/** What is passed on to many. */
export const joinUrl = (origin: string, key: string): string => `${origin}/join/${key}/`
