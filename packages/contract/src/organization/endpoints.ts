import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { paramsOf } from '../kernel/setting.ts'
import { organizationSettings } from './settings.ts'
import { organizationGroups, organizationProperties } from './shape.ts'

/** A text is not repeated in the response. */
type Changed<Value extends z.ZodType> = z.ZodOptional<
  Value extends z.ZodString ? z.ZodLiteral<'updated'> : Value
>

function changed<Values extends Record<string, z.ZodType>>(
  values: Values,
): { [Name in keyof Values]: Changed<Values[Name]> } {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    (value instanceof z.ZodString ? z.literal('updated') : value).optional(),
  ])
  return Object.fromEntries(entries)
}

const { plan_type: _, ...singleSettings } = organizationProperties

export const update = endpoint({
  summary: "Change the organization's settings.",
  description:
    'Either all changes are made or none. The response contains the settings that changed: the new value, or the word `updated` for texts.',
  method: 'PATCH',
  path: '/api/v1/realm',
  auth: 'user',
  only: ['administrators'],
  params: paramsOf(organizationSettings),
  response: changed({ ...singleSettings, ...organizationGroups.default }),
  errors: [
    'MUST_BE_OWNER',
    'LANGUAGE_INVALID',
    'ORGANIZATION_NAME_TOO_LONG',
    'ORGANIZATION_DESCRIPTION_TOO_LONG',
    'NO_AUTHENTICATION_METHOD',
    'VIDEO_CHAT_PROVIDER_INVALID',
    'PLAN_TOO_SMALL',
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
