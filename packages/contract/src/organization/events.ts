import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { organizationId } from '../ids.ts'
import { type OrganizationProperty, organizationGroups, organizationProperties } from './shape.ts'

const names = Object.keys(organizationProperties) as OrganizationProperty[]

const groupChange = <Name extends keyof typeof organizationGroups>(name: Name) =>
  eventSchema('realm', {
    op: z.literal('update_dict'),
    property: z.literal(name),
    data: z.strictObject(organizationGroups[name]).partial(),
  })

export const organizationEvent = z.discriminatedUnion('op', [
  eventSchema('realm', {
    op: z.literal('update'),
    property: z.enum(names),
    value: z.union([z.boolean(), z.int(), z.string()]).nullable(),
    extra_data: z.strictObject({ upload_quota: z.int().nullable() }).optional(),
  }),
  z.discriminatedUnion('property', [
    groupChange('default'),
    groupChange('icon'),
    groupChange('logo'),
    groupChange('night_logo'),
  ]),
  eventSchema('realm', { op: z.literal('deactivated'), realm_id: organizationId }),
])
export type OrganizationEvent = z.infer<typeof organizationEvent>
