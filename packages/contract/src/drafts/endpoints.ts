import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { draftId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, path } from '../kernel/params.ts'
import { maxItems } from '../kernel/schemas.ts'
import { draft, draftToSave, maxDrafts, maxTotalDraftBytes } from './shape.ts'

const drafts = '/api/v1/drafts'
const oneDraft = '/api/v1/drafts/{draft_id}'

const invalid = [
  'ONE_STREAM_FOR_DRAFT',
  'INVALID_STREAM_ID',
  'RECIPIENT_ID_INVALID',
  'MESSAGE_EMPTY',
  'MESSAGE_HAS_NUL',
  'CONTENT_TOO_LONG',
  'TOPIC_TOO_LONG',
  'DRAFTS_TOO_LARGE',
] as const satisfies ErrorName[]

export const list = endpoint({
  summary: 'List the drafts of the account.',
  description:
    'The most recently edited draft comes last, as in later feature levels of the protocol. In the initial state it comes first.',
  method: 'GET',
  path: drafts,
  auth: 'user',
  params: {},
  response: {
    count: field(z.int(), 'The number of drafts.'),
    drafts: field(z.array(draft), 'The drafts, the most recently edited last.'),
  },
  errors: [],
})

export const create = endpoint({
  summary: 'Store drafts, so that they are available on all devices of the account.',
  description: `An account has at most ${maxDrafts} drafts, with ${maxTotalDraftBytes} bytes of texts, topics and recipients together. Either all drafts of a request are stored or none.`,
  method: 'POST',
  path: drafts,
  auth: 'user',
  params: { drafts: json(maxItems(draftToSave, maxDrafts), 'The drafts to store.') },
  response: { ids: field(z.array(draftId), 'The ids of the new drafts, in the order of the request.') },
  errors: [...invalid, 'DRAFTS_TOO_MANY'],
})

export const edit = endpoint({
  summary: 'Replace a draft of the account.',
  method: 'PATCH',
  path: oneDraft,
  auth: 'user',
  params: {
    draft_id: path(draftId, 'The id of the draft.'),
    draft: json(draftToSave, 'The draft as it is now, with all fields.'),
  },
  response: {},
  errors: ['DRAFT_DOES_NOT_EXIST', ...invalid],
})

export const remove = endpoint({
  summary: 'Delete a draft of the account.',
  method: 'DELETE',
  path: oneDraft,
  auth: 'user',
  params: { draft_id: path(draftId, 'The id of the draft.') },
  response: {},
  errors: ['DRAFT_DOES_NOT_EXIST'],
})
