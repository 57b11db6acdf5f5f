import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { organizationId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'
import { type OrganizationProperty, organizationGroups, organizationProperties } from './shape.ts'

const names = Object.keys(organizationProperties) as OrganizationProperty[]

const groupChange = <Name extends keyof typeof organizationGroups>(name: Name) =>
  eventSchema('realm', {
    op: field(z.literal('update_dict'), 'Several settings of the organization changed together.'),
    property: field(z.literal(name), 'The name of the group of settings.'),
    data: field(object(organizationGroups[name]).partial(), 'The new values of the settings that changed.'),
  })

export const organizationEvent = z.discriminatedUnion('op', [
  eventSchema('realm', {
    op: field(z.literal('update'), 'One setting of the organization changed.'),
    property: field(z.enum(names), 'The name of the setting.'),
    value: field(z.union([z.boolean(), z.int(), z.string()]).nullable(), 'The new value of the setting.'),
    extra_data: field(
      object({
        upload_quota: field(
          z.int().nullable(),
          'How many bytes of files the organization may store. Null for no limit.',
        ),
      }).optional(),
      'Other values that changed with the plan. Present only if `property` is `plan_type`.',
    ),
  }),
  z.discriminatedUnion('property', [
    groupChange('default'),
    groupChange('icon'),
    groupChange('logo'),
    groupChange('night_logo'),
  ]),
  eventSchema('realm', {
    op: field(z.literal('deactivated'), 'The organization was deactivated.'),
    realm_id: field(organizationId, 'The id of the organization.'),
  }),
])
export type OrganizationEvent = z.infer<typeof organizationEvent>
