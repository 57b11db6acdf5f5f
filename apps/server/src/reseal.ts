import { ownerOfKey } from './identity/api-keys.ts'
import { ownerOfInvitation, ownerOfSignUp } from './invitations/keys.ts'
import { ownerOfReset } from './password-reset/keys.ts'
import { job } from './platform/jobs.ts'
import { resealColumn, type SealedColumn } from './platform/reseal.ts'
import { ownerOfConfig, ownerOfToken } from './users/bots/service-seals.ts'
import { ownerOfEmailChange } from './users/email-changes.ts'

const column = <Row>(declaration: SealedColumn<Row>) => declaration

/** All columns of the database that hold seals. */
export const sealedColumns: readonly SealedColumn[] = [
  column({ table: 'user_account', id: 'id', column: 'api_key_sealed', owner: ownerOfKey }),
  column({ table: 'bot_service', id: 'user_id', column: 'token_sealed', owner: ownerOfToken }),
  column({ table: 'bot_service', id: 'user_id', column: 'config_sealed', owner: ownerOfConfig }),
  column({
    table: 'email_change',
    id: 'id',
    column: 'key_sealed',
    ownedBy: ['user_id', 'new_email'],
    owner: ownerOfEmailChange,
  }),
  column({
    table: 'invitation',
    id: 'id',
    column: 'key_sealed',
    ownedBy: ['invited_by', 'role', 'email'],
    owner: ownerOfInvitation,
  }),
  column({
    table: 'password_reset',
    id: 'id',
    column: 'key_sealed',
    ownedBy: ['email'],
    owner: ownerOfReset,
  }),
  column({
    table: 'sign_up',
    id: 'id',
    column: 'key_sealed',
    ownedBy: ['email', 'invitation_id'],
    owner: ownerOfSignUp,
  }),
]

/** Rewrites seals of earlier releases, which are not bound to a row. */
export const rewriteSeals = job<unknown>({
  name: 'rewrite_seals',
  schedule: '29 * * * *',
  async run(app) {
    for (const sealed of sealedColumns) {
      const { rewritten, unreadable } = await resealColumn(app, sealed)
      const about = { table: sealed.table, column: sealed.column }
      if (rewritten > 0) app.log.info({ ...about, rewritten }, 'old seals were rewritten')
      if (unreadable > 0)
        app.log.warn(
          { ...about, unreadable },
          'seals do not open: their rows were changed by hand or damaged',
        )
    }
  },
})
