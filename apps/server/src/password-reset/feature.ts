import type { Feature } from '../feature.ts'
import { sealedColumn } from '../platform/reseal.ts'
import { deleteOldPasswordResets } from './delete-old-resets.ts'
import { sealOwnerOfReset } from './keys.ts'
import { mailPasswordChanged, mailPasswordReset } from './reset-email.ts'
import { passwordResetPages } from './reset-pages.ts'

/** New passwords for people who forgot theirs, by e-mail. */
export const passwordResetFeature = {
  pages: passwordResetPages,
  jobs: [mailPasswordReset, mailPasswordChanged, deleteOldPasswordResets],
  seals: [
    sealedColumn({
      table: 'password_reset',
      id: 'id',
      column: 'key_sealed',
      ownedBy: ['email'],
      owner: sealOwnerOfReset,
    }),
  ],
} satisfies Feature
