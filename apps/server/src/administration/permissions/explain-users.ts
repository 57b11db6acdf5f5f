import { ApiError, allOf, allowedBy, api, refusedBy } from '@oxbow/contract'
import { decideMaySeeAddress } from '../../identity/accounts/public-account.ts'
import { filterSeen } from '../../identity/accounts/sight.ts'
import {
  decideMayChangeUser,
  decideMayDeactivate,
  getActivePerson,
  isLastOwner,
} from '../../people/users/access.ts'
import { findUser } from '../../people/users/queries.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { decideCall } from '../../platform/http/bind.ts'
import type { Explain, Question } from './question.ts'

const toActor = ({ account: { id, role } }: Question) => ({ user_id: id, role })

export const explainSeeingAddress: Explain = async (question) => {
  const other = await accessOtherUser(question)
  const { account, organization } = question
  const { email_address_visibility } = organization
  return {
    decision:
      other.id === account.id
        ? allowedBy('own_address')
        : decideMaySeeAddress({ ...other, email_address_visibility }, account.role),
    facts: { email_address_visibility },
  }
}

export const explainChanging: Explain = async (question) => {
  const other = await accessOtherUser(question)
  const call = decideCall(question.account, api.users.update)
  return { decision: allOf(call, decideMayChangeUser(toActor(question), other)), facts: listUserFacts(other) }
}

export const explainDeactivating: Explain = async (question) => {
  const other = getActivePerson(await accessOtherUser(question))
  const call = decideCall(question.account, api.users.deactivate)
  const decision = allOf(call, decideMayDeactivate(toActor(question), other))
  const isLast = decision.allowed && (await isLastOwner(question.app.db, other))
  return { decision: isLast ? refusedBy('last_owner') : decision, facts: listUserFacts(other) }
}

const listUserFacts = ({ role, bot_owner_id }: UserRow) => ({ other_role: role, bot_owner_id })

/** Loads the other user. Their existence may be revealed to those who see them. */
async function accessOtherUser({ app, asker, account, params }: Question): Promise<UserRow> {
  const id = params.other_user_id ?? account.id
  const isSeen = (await filterSeen(app.db, asker, [id])).has(id)
  const other = isSeen ? await findUser(app.db, account.organization_id, id) : undefined
  if (!other) throw new ApiError('NO_SUCH_USER')
  return other
}
