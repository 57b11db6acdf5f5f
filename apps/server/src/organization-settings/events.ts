import { type OrganizationId, type OrganizationProperty, organizationProperties } from '@oxbow/contract'
import type { Emission } from '../events/record.ts'
import { viewGroups, viewProperties } from '../organization/state.ts'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import type { Changes } from './read-changes.ts'

/** What is told of a change, which is also what the answer has: each a setting alone, or several that go together. */
export interface ToldChange {
  property: OrganizationProperty | 'default'
  values: Readonly<Record<string, unknown>>
}

const names = Object.keys(organizationProperties) as OrganizationProperty[]
const editing = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'allow_community_topic_editing',
] as const

/** In the order in which they are told. */
export function toldChanges(config: Config, after: OrganizationRow, changes: Changes): ToldChange[] {
  const properties: Record<string, unknown> = viewProperties(after)
  const groups = viewGroups(config, after)
  const alone = names.filter((name) => name in changes)
  return [
    ...alone.map((property) => ({ property, values: { [property]: properties[property] } })),
    ...('disabled_authentication_methods' in changes ? [together('authentication_methods')] : []),
    ...(editing.some((name) => name in changes) ? [together(...editing)] : []),
    ...('message_content_delete_limit_seconds' in changes
      ? [together('message_content_delete_limit_seconds')]
      : []),
  ]

  function together(...members: (keyof typeof groups)[]): ToldChange {
    const values = Object.fromEntries(members.map((member) => [member, groups[member]]))
    return { property: 'default', values }
  }
}

/** Nodes forget what they remember of the organization and of everyone in it. */
export function settingsChanged(organization_id: OrganizationId, { property, values }: ToldChange): Emission {
  const event =
    property === 'default'
      ? { type: 'realm', op: 'update_dict', property, data: values }
      : { type: 'realm', op: 'update', property, value: values[property] }
  return { organization_id, event, to: { roles: 'everyone' }, effects: [{ kind: 'organization' }] }
}

/** Whoever waits for events is sent away, and nobody is let in any more. */
export function organizationDeactivated(organization_id: OrganizationId): Emission {
  return {
    organization_id,
    event: { type: 'realm', op: 'deactivated', realm_id: organization_id },
    to: { roles: 'everyone' },
    effects: [{ kind: 'deactivation' }],
  }
}
