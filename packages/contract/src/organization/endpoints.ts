import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { type Described, type Fields, field } from '../kernel/field.ts'
import { changedFields, paramsOf } from '../kernel/setting.ts'
import { organizationSettings } from './settings.ts'
import { organizationGroups, organizationProperties } from './shape.ts'

const { plan_type: _, ...singleSettings } = organizationProperties

type Texts<Values> = {
  [Name in keyof Values as Values[Name] extends z.ZodString ? Name : never]: z.ZodOptional<
    z.ZodLiteral<'updated'>
  > &
    Described
}

/** Returns the fields of the response for texts, which the response does not repeat. */
function updatedTexts<Values extends Fields>(values: Values): Texts<Values> {
  const texts = Object.entries(values).filter(([, value]) => value instanceof z.ZodString)
  const entries = texts.map(([name]) => [
    name,
    field(
      z.literal('updated').optional(),
      `The word \`updated\`. Present only if the ${name.replaceAll('_', ' ')} changed.`,
    ),
  ])
  return Object.fromEntries(entries)
}

export const update = endpoint({
  summary: "Change the organization's settings.",
  description:
    'Either all changes are made or none. The response contains the settings that changed: the new value, or the word `updated` for texts.',
  method: 'PATCH',
  path: '/api/v1/realm',
  auth: 'user',
  only: ['administrators'],
  params: paramsOf(organizationSettings),
  response: {
    ...changedFields({ ...singleSettings, ...organizationGroups.default }),
    ...updatedTexts(singleSettings),
  },
  errors: [
    'MUST_BE_OWNER',
    'LANGUAGE_INVALID',
    'ORGANIZATION_NAME_TOO_LONG',
    'ORGANIZATION_DESCRIPTION_TOO_LONG',
    'NO_AUTHENTICATION_METHOD',
    'VIDEO_CHAT_PROVIDER_INVALID',
    'PLAN_TOO_SMALL',
    'GUESTS_NEED_HIDDEN_ADDRESSES',
    'INVALID_STREAM_ID',
  ],
})

export const deactivate = endpoint({
  summary: 'Deactivate the organization. Nobody can sign in any more.',
  description: 'No data is deleted. Only the operator of the server can reactivate the organization.',
  method: 'POST',
  path: '/api/v1/realm/deactivate',
  auth: 'user',
  only: ['owners'],
  params: {},
  response: {},
  errors: [],
})
