import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { text } from '../kernel/params.ts'

// Parameters and errors of both endpoints that take a message: sending it and scheduling it.

export const topic = (about: string) => text(z.string().trim().optional(), about, { alias: 'subject' })

/** The accepted form depends on `type`, so decoding accepts any JSON and the action validates it. */
type Recipients = string | number | readonly string[] | readonly number[]
export const recipients = z.unknown().meta({
  anyOf: [
    { type: 'string' },
    { type: 'integer' },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'integer' } },
  ],
}) as z.ZodType<unknown, Recipients | undefined>

export const contentErrors = [
  'MESSAGE_HAS_NUL',
  'CONTENT_TOO_LONG',
  'UNABLE_TO_RENDER',
] as const satisfies ErrorName[]
export const topicErrors = ['TOPIC_EMPTY', 'TOPIC_TOO_LONG', 'TOPICS_REQUIRED'] as const satisfies ErrorName[]

/** Errors for a `to` that is not valid. */
export const destinationErrors = [
  'ONE_STREAM_EXPECTED',
  'STREAM_TYPE_INVALID',
  'RECIPIENTS_TYPE_INVALID',
  'RECIPIENTS_MIXED',
] as const satisfies ErrorName[]

/** Errors for a message that cannot be sent. */
export const messageErrors = [
  'INVALID_MESSAGE_TYPE',
  'STREAM_MISSING',
  'TOPIC_MISSING',
  ...topicErrors,
  'RECIPIENTS_MISSING',
  'RECIPIENT_EMAIL_INVALID',
  'RECIPIENT_ID_INVALID',
  'RECIPIENT_DEACTIVATED',
  'MESSAGE_RECIPIENTS_TOO_MANY',
  'MESSAGE_EMPTY',
  ...contentErrors,
  'INVALID_STREAM_NAME',
  'STREAM_NAME_TOO_LONG',
  'STREAM_NAME_HAS_NUL',
  'STREAM_DOES_NOT_EXIST',
  'STREAM_ID_DOES_NOT_EXIST',
  'ONLY_ADMINISTRATORS_POST',
  'NEW_MEMBERS_CANNOT_POST',
  'NOT_ALLOWED_TO_POST',
  'CANNOT_START_TOPICS',
  'NOT_AUTHORIZED_TO_SEND',
  'PRIVATE_MESSAGES_DISABLED',
] as const satisfies ErrorName[]
