import type { BotType, FieldType, OrganizationId, ProfileFieldId, Role, UserId } from '@oxbow/contract'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

/** The tables as `migrations/schema.sql` has them. */
export interface Tables {
  server: ServerTable
  organization: OrganizationTable
  organization_domain: OrganizationDomainTable
  user_account: UserAccountTable
  role_period: RolePeriodTable
  profile_field: ProfileFieldTable
  profile_value: ProfileValueTable
  login_attempt: LoginAttemptTable
  email_change: EmailChangeTable
}

type CreatedAt = ColumnType<Date, Date | undefined, never>

interface ServerTable {
  secret_fingerprint: Buffer
  created_at: CreatedAt
}

interface OrganizationTable {
  id: GeneratedAlways<OrganizationId>
  subdomain: string
  name: string
  description: Generated<string>
  deactivated_at: Date | null
  email_address_visibility: Generated<number>
  emails_restricted_to_domains: Generated<boolean>
  disallow_disposable_email_addresses: Generated<boolean>
  name_changes_disabled: Generated<boolean>
  email_changes_disabled: Generated<boolean>
  bot_creation_policy: Generated<number>
  disabled_authentication_methods: Generated<string[]>
  created_at: CreatedAt
}

interface OrganizationDomainTable {
  organization_id: OrganizationId
  domain: string
  allow_subdomains: boolean
}

interface UserAccountTable {
  organization_id: OrganizationId
  id: GeneratedAlways<UserId>
  delivery_email: string
  full_name: string
  role: Role
  is_active: Generated<boolean>
  bot_type: BotType | null
  bot_owner_id: UserId | null
  password_hash: string | null
  api_key_hash: Buffer
  api_key_sealed: Buffer
  avatar_source: Generated<'external' | 'uploaded'>
  avatar_version: Generated<number>
  timezone: Generated<string>
  date_joined: CreatedAt
}

interface RolePeriodTable {
  organization_id: OrganizationId
  user_id: UserId
  role: Role
  from_outbox_id: number
  to_outbox_id: number | null
  from_message_id: number
  to_message_id: number | null
}

interface ProfileFieldTable {
  organization_id: OrganizationId
  id: GeneratedAlways<ProfileFieldId>
  name: string
  type: FieldType
  hint: string
  field_data: string
  position: number
}

interface ProfileValueTable {
  organization_id: OrganizationId
  user_id: UserId
  field_id: ProfileFieldId
  value: string
  rendered_value: string | null
}

interface LoginAttemptTable {
  organization_id: OrganizationId
  username: string
  attempted_at: Date[]
}

interface EmailChangeTable {
  organization_id: OrganizationId
  id: GeneratedAlways<number>
  user_id: UserId
  new_email: string
  key_hash: Buffer
  key_sealed: Buffer
  origin: string
  created_at: CreatedAt
  ended_at: Date | null
}

export type OrganizationRow = Selectable<OrganizationTable>
export type UserRow = Selectable<UserAccountTable>
export type ProfileFieldRow = Selectable<ProfileFieldTable>
