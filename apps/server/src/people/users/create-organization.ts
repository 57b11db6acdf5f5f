import { Role } from '@oxbow/contract'
import { isEmailAddress } from '../../identity/accounts/email-address.ts'
import { checkOrganizationName, refuseMalformedSubdomain } from '../../organization/get-organization-at.ts'
import { insertOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { addUser } from './create-user.ts'
import { createFirstStreams, type FirstStreams, subscribeToTeam } from './first-streams.ts'
import { checkNameForOperator } from './full-name.ts'

export interface NewOrganization {
  name: string
  /** Empty for the organization on the root host. */
  subdomain: string
  owner: { email: string; full_name: string; password?: string | undefined }
  /** False to create the organization without streams. */
  streams?: boolean
}

export interface CreatedOrganization {
  organization_id: number
  user_id: number
  email: string
  api_key: string
}

/** Creates an organization with its first owner. Only the operator can do this, on the command line. */
export async function createOrganization(
  app: App,
  newOrganization: NewOrganization,
): Promise<CreatedOrganization> {
  const { owner } = newOrganization
  if (!isEmailAddress(owner.email)) throw new OperatorError(`"${owner.email}" is not an e-mail address.`)
  const full_name = checkNameForOperator(owner.full_name)
  const password_hash = owner.password === undefined ? null : await app.passwords.hash(owner.password)

  return insertWithStreams(app, newOrganization, async (tx, { organization, team }) => {
    const role = Role.owner
    const user = await addUser(app, tx, organization, { email: owner.email, full_name, role, password_hash })
    if (team) await subscribeToTeam(app, tx, user, team)
    const { id, delivery_email, api_key } = user
    return { organization_id: organization.id, user_id: id, email: delivery_email, api_key }
  })
}

/**
 * Creates an organization without accounts. Its first account is created in a browser; see
 * `findFirstAccountLink`.
 */
export async function createOrganizationWithoutOwner(
  app: App,
  newOrganization: Omit<NewOrganization, 'owner'>,
): Promise<{ organization_id: number }> {
  return insertWithStreams(app, newOrganization, async (_tx, { organization }) => ({
    organization_id: organization.id,
  }))
}

/** Inserts an organization with its first streams. `addOwner` runs in the same transaction. */
async function insertWithStreams<Result>(
  app: App,
  { name: written, subdomain, streams }: Omit<NewOrganization, 'owner'>,
  addOwner: (tx: Tx, created: FirstStreams) => Promise<Result>,
): Promise<Result> {
  const name = checkOrganizationName(written)
  refuseMalformedSubdomain(subdomain)
  try {
    return await inTransaction(app.db, async (tx) => {
      const inserted = await insertOrganization(tx, { name, subdomain })
      await lockRoles(tx, inserted.id, 'exclusive')
      const first: FirstStreams =
        streams === false
          ? { organization: inserted, team: undefined }
          : await createFirstStreams(app, tx, inserted)
      return addOwner(tx, first)
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'organization_subdomain_key') throw error
    throw new OperatorError(
      subdomain === ''
        ? 'The root host has an organization already. Give the new one a host of its own: --subdomain NAME'
        : `There is an organization at the subdomain "${subdomain}" already.`,
    )
  }
}
