import {
  type OrganizationId,
  type OrganizationProperty,
  type OrganizationSetting,
  organizationProperties,
  organizationSettings,
  type Role,
  type Setting,
} from '@oxbow/contract'
import type { Emission } from '../../events/record.ts'
import { getSettingAudience } from '../../organization/notification-streams.ts'
import { viewGroupedProperties, viewProperties } from '../../organization/state.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import type { Changes } from './list-changes.ts'

/** A change as events and the response contain it: one property, or several that are sent together. */
export interface PropertyChange {
  property: OrganizationProperty | 'default'
  values: Readonly<Record<string, unknown>>
}

const propertyNames = Object.keys(organizationProperties) as OrganizationProperty[]
const editingSettings = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'allow_community_topic_editing',
] as const

/** Lists the changes in the order of their events. The role is that of the account that made them. */
export function listPropertyChanges(
  config: Config,
  after: OrganizationRow,
  changes: Changes,
  role: Role,
): PropertyChange[] {
  const properties: Record<string, unknown> = viewProperties(after, role)
  const groups = viewGroupedProperties(config, after)
  const single = propertyNames.filter((name) => name in changes)
  return [
    ...single.map((property) => ({ property, values: { [property]: properties[property] } })),
    ...('disabled_authentication_methods' in changes ? [together('authentication_methods')] : []),
    ...(editingSettings.some((name) => name in changes) ? [together(...editingSettings)] : []),
    ...('message_content_delete_limit_seconds' in changes
      ? [together('message_content_delete_limit_seconds')]
      : []),
  ]

  function together(...members: (keyof typeof groups)[]): PropertyChange {
    const values = Object.fromEntries(members.map((member) => [member, groups[member]]))
    return { property: 'default', values }
  }
}

/**
 * Builds the event for a changed setting. It also makes nodes invalidate cached data of the
 * organization and its accounts.
 */
export function settingsChanged(
  organization_id: OrganizationId,
  { property, values }: PropertyChange,
): Emission {
  const event =
    property === 'default'
      ? { type: 'realm', op: 'update_dict', property, data: values }
      : { type: 'realm', op: 'update', property, value: values[property] }
  return {
    organization_id,
    event,
    to: getSettingAudience(property),
    since: findSetting(property)?.since,
    effects: [{ kind: 'organization' }],
  }
}

/** Returns the setting of this name; undefined for the plan, which no request changes, and for groups. */
const findSetting = (property: string): Setting | undefined =>
  Object.hasOwn(organizationSettings, property)
    ? organizationSettings[property as OrganizationSetting]
    : undefined

/** Builds the event for the deactivation. Waiting polls end, and further requests are refused. */
export function organizationDeactivated(organization_id: OrganizationId): Emission {
  return {
    organization_id,
    event: { type: 'realm', op: 'deactivated', realm_id: organization_id },
    to: { roles: 'everyone' },
    effects: [{ kind: 'deactivation' }],
  }
}
