import type { Feature } from '../../feature.ts'
import { sealedColumn } from '../../platform/secrets/reseal.ts'
import { deleteOldPasswordResets } from './delete-old-resets.ts'
import { mailImportLink } from './import-email.ts'
import { sealBindingOfReset } from './keys.ts'
import { mailPasswordChanged, mailPasswordReset } from './reset-email.ts'
import { passwordResetPages } from './reset-pages.ts'

/** Password reset by e-mail. */
export const passwordResetFeature = {
  pages: passwordResetPages,
  jobs: [mailPasswordReset, mailPasswordChanged, mailImportLink, deleteOldPasswordResets],
  seals: [
    sealedColumn({
      table: 'password_reset',
      id: 'id',
      column: 'key_sealed',
      boundColumns: ['email'],
      binding: sealBindingOfReset,
    }),
  ],
} satisfies Feature
