import assert from 'node:assert/strict'
import { ApiError, type ArgumentsOf, type api, type PermissionRule } from '@oxbow/contract'
import type { Person, World } from '../world.ts'

export type PermissionQuery = Omit<ArgumentsOf<typeof api.permissions.explain>, 'user_id'>

/** Returns `ok`, or the name of the error that the call failed with. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (error instanceof ApiError) return error.errorName
    throw error
  }
}

/** Errors that a call may return if the rule refuses it. */
const errorsOf: Partial<Record<PermissionRule, string[]>> = {
  must_be_administrator: ['MUST_BE_ADMINISTRATOR', 'CANNOT_MOVE_MESSAGE', 'INSUFFICIENT_PERMISSION'],
  must_be_owner: ['MUST_BE_OWNER'],
  last_owner: ['LAST_OWNER_DEACTIVATION'],
  not_for_guests: ['NOT_FOR_GUESTS', 'CANNOT_RESOLVE_TOPIC'],
  not_for_bots: ['NOT_FOR_BOTS'],
  policy_administrators: [
    'MUST_BE_ADMINISTRATOR',
    'CANNOT_CREATE_STREAMS',
    'CANNOT_RESOLVE_TOPIC',
    'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS',
  ],
  too_new_to_invite: ['TOO_NEW_TO_INVITE'],
  outside_group: ['USER_GROUP_OF_OTHERS'],
  waiting_period: ['CANNOT_RESOLVE_TOPIC', 'CANNOT_CREATE_STREAMS', 'TOO_NEW_TO_SUBSCRIBE_OTHERS'],
  administrators_post: ['ONLY_ADMINISTRATORS_POST', 'STREAM_ID_DOES_NOT_EXIST'],
  full_members_post: ['NEW_MEMBERS_CANNOT_POST', 'STREAM_ID_DOES_NOT_EXIST'],
  editing_disabled: ['EDITING_DISABLED'],
  edit_time_over: ['EDIT_TIME_OVER'],
  others_message: ['CANNOT_EDIT_MESSAGE', 'CANNOT_DELETE_MESSAGE'],
  deleting_disabled: ['CANNOT_DELETE_MESSAGE'],
  delete_time_over: ['DELETE_TIME_OVER'],
  streams_not_public: ['STREAMS_MUST_BE_PUBLIC'],
  message_unknown: ['INVALID_MESSAGE'],
  private_messages_disabled: ['PRIVATE_MESSAGES_DISABLED'],
  recipient_deactivated: ['RECIPIENT_DEACTIVATED'],
}

/**
 * Compares the explained permission with the outcome of the action: requests the explanation as the
 * person and as the owner, then runs the action. Returns the rule in the owner's explanation.
 */
export async function checkExplanation(
  { owner }: World,
  person: Person,
  query: PermissionQuery,
  action: () => Promise<string>,
  label: string,
): Promise<PermissionRule> {
  const question = { ...query, user_id: person.user_id }
  const ownExplanation = await person.permissions.explain(question)
  const ownerExplanation = await owner.on('b').permissions.explain(question)
  const outcome = await action()
  const message = `${label}: ${JSON.stringify(query)} → ${outcome}, explained as ${JSON.stringify(ownerExplanation)}`
  assert.equal(ownerExplanation.allowed, outcome === 'ok', message)
  assert.equal(ownExplanation.allowed, ownerExplanation.allowed, message)
  if (ownExplanation.rule !== ownerExplanation.rule)
    assert.ok(ownExplanation.rule === 'stream_unknown', `${message} and ${ownExplanation.rule}`)
  if (!ownerExplanation.allowed)
    assert.ok(errorsOf[ownerExplanation.rule]?.includes(outcome) ?? true, message)
  return ownerExplanation.rule
}
