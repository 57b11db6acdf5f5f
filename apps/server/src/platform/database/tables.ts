import type {
  BotInterface,
  BotType,
  DataExportId,
  DefaultStreamGroupId,
  DisplaySettings,
  DraftId,
  FieldType,
  InvitationId,
  LinkifierId,
  MessageId,
  NotificationSettings,
  OrganizationId,
  OrganizationSettings,
  PostPolicy,
  ProfileFieldId,
  ReactionType,
  Role,
  ScheduledMessageId,
  SessionId,
  StreamFolderId,
  StreamId,
  StreamRights,
  StreamSection,
  UploadId,
  UserGroupId,
  UserId,
  WebhookFailureId,
} from '@oxbow/contract'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

/** The tables of `migrations/schema.sql`. */
export interface Tables {
  server: ServerTable
  background_migration: BackgroundMigrationTable
  message_id_gap: MessageIdGapTable
  organization: OrganizationTable
  organization_domain: OrganizationDomainTable
  user_account: UserAccountTable
  user_setting: UserSettingTable
  bot_setting: BotSettingTable
  bot_service: BotServiceTable
  bot_storage: BotStorageTable
  role_period: RolePeriodTable
  profile_field: ProfileFieldTable
  profile_value: ProfileValueTable
  login_attempt: LoginAttemptTable
  sign_in_failure: SignInFailureTable
  sign_in_network: SignInNetworkTable
  session: SessionTable
  email_change: EmailChangeTable
  password_reset: PasswordResetTable
  invitation: InvitationTable
  invitation_stream: InvitationStreamTable
  sign_up: SignUpTable
  invited_user: InvitedUserTable
  outbox: OutboxTable
  event_head: EventHeadTable
  event_queue: EventQueueTable
  subscription_period: SubscriptionPeriodTable
  idempotent_answer: IdempotentResponseTable
  stream: StreamTable
  subscription: SubscriptionTable
  stream_traffic: StreamTrafficTable
  stream_folder: StreamFolderTable
  stream_section: StreamSectionTable
  muted_topic: MutedTopicTable
  muted_user: MutedUserTable
  topic_attention: TopicAttentionTable
  default_stream: DefaultStreamTable
  default_stream_group: DefaultStreamGroupTable
  default_stream_group_stream: DefaultStreamGroupStreamTable
  system_account: SystemAccountTable
  conversation: ConversationTable
  message: MessageTable
  message_stay: MessageStayTable
  user_message: UserMessageTable
  read_mark: ReadMarkTable
  message_edit: MessageEditTable
  custom_emoji: CustomEmojiTable
  user_group: UserGroupTable
  user_group_member: UserGroupMemberTable
  user_group_subgroup: UserGroupSubgroupTable
  data_export: DataExportTable
  linkifier: LinkifierTable
  reaction: ReactionTable
  submessage: SubmessageTable
  draft: DraftTable
  upload: UploadTable
  upload_claim: UploadClaimTable
  upload_hold: UploadHoldTable
  upload_usage: UploadUsageTable
  unfinished_upload: UnfinishedUploadTable
  presence: PresenceTable
  alert_word: AlertWordTable
  user_status: UserStatusTable
  device: DeviceTable
  traffic_count: TrafficCountTable
  owner_notice: OwnerNoticeTable
  webhook_failure: WebhookFailureTable
  scheduled_message: ScheduledMessageTable
  scheduled_sender: ScheduledSenderTable
  link_page: LinkPageTable
  link_preview_request: LinkPreviewRequestTable
  outgoing_webhook_call: OutgoingWebhookCallTable
}

type CreatedAt = ColumnType<Date, Date | undefined, never>

interface ServerTable {
  secret_fingerprint: Buffer
  old_secret_fingerprint: Buffer | null
  hash_key_sealed: Buffer | null
  secret_rotated_at: Date | null
  /** Time since which background jobs wait for the operator, after a backup was restored. */
  jobs_held_since: Date | null
  /** Time at which `oxbow backup` last wrote a complete backup; null if it never did. */
  backed_up_at: Date | null
  created_at: CreatedAt
}

/** Changes of many rows that nodes make in batches. */
interface BackgroundMigrationTable {
  name: string
  /** Where the next batch begins; null before the first one. */
  position: unknown
  rows_done: number
  /** An estimate; null before the first batch. */
  rows_total: number | null
  started_at: Date | null
  updated_at: Date | null
  finished_at: Date | null
  failure: string | null
}

/** Ranges of message ids that were skipped. */
interface MessageIdGapTable {
  first_id: number
  last_id: number
}

type WithDefaults<Values> = { [Name in keyof Values]: Generated<Values[Name]> }

type NoticeStream = 'notifications_stream_id' | 'signup_notifications_stream_id'

interface OrganizationTable
  extends Omit<WithDefaults<OrganizationSettings>, 'name' | NoticeStream | 'authentication_methods'>,
    Record<NoticeStream, StreamId | null> {
  id: GeneratedAlways<OrganizationId>
  subdomain: string
  name: string
  created_at: CreatedAt
  deactivated_at: Date | null
  /** Set by the first step of a deletion, which cannot be undone. */
  deletion_began_at: Date | null
  disabled_authentication_methods: Generated<string[]>
  icon_source: Generated<'external' | 'uploaded'>
  icon_version: Generated<number>
  logo_source: Generated<'default' | 'uploaded'>
  logo_version: Generated<number>
  night_logo_source: Generated<'default' | 'uploaded'>
  night_logo_version: Generated<number>
  plan_type: Generated<number>
  upload_quota: number | null
}

interface OrganizationDomainTable {
  organization_id: OrganizationId
  domain: string
  allow_subdomains: boolean
  id: GeneratedAlways<number>
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
  /** Set if the person's data was erased; the account can never be active again. */
  erased_at: Generated<Date | null>
  date_joined: CreatedAt
}

interface UserSettingTable
  extends WithDefaults<Omit<DisplaySettings, 'timezone'>>,
    WithDefaults<NotificationSettings> {
  organization_id: OrganizationId
  user_id: UserId
  enter_sends: Generated<boolean>
  tutorial_status: Generated<'waiting' | 'started' | 'finished'>
  seen_hotspots: Generated<string[]>
}

interface BotSettingTable {
  organization_id: OrganizationId
  user_id: UserId
  default_sending_stream_id: StreamId | null
  default_events_register_stream_id: StreamId | null
  default_all_public_streams: Generated<boolean>
}

interface BotServiceTable {
  organization_id: OrganizationId
  user_id: UserId
  name: string | null
  base_url: Generated<string>
  interface: Generated<BotInterface>
  token_sealed: Buffer | null
  config_sealed: Buffer | null
}

interface BotStorageTable {
  organization_id: OrganizationId
  user_id: UserId
  key_digest: Buffer
  key: string
  value: string
  characters: GeneratedAlways<number>
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

interface SignInFailureTable {
  organization_id: OrganizationId
  id: GeneratedAlways<number>
  username: string
  network: string
  judged_at: Date
}

interface SessionTable {
  organization_id: OrganizationId
  id: GeneratedAlways<SessionId>
  user_id: UserId
  token_hash: Buffer
  created_at: CreatedAt
  last_seen_at: Generated<Date>
  expires_at: Date
  is_trusted: boolean
  user_agent: string
  address: string
}

interface SignInNetworkTable {
  organization_id: OrganizationId
  user_id: UserId
  network: string
  last_at: Generated<Date>
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

interface PasswordResetTable {
  organization_id: OrganizationId
  id: GeneratedAlways<number>
  /** The e-mail address that the person entered, in lower case. */
  email: string
  /** Null until the e-mail is composed, and for addresses without an account. */
  user_id: UserId | null
  key_hash: Buffer
  key_sealed: Buffer
  origin: string
  /** Null for links that the operator created. */
  network: string | null
  created_at: CreatedAt
  ended_at: Date | null
  /** How long the link is valid: an hour, or longer for links of an import. */
  lifetime_hours: Generated<number>
}

interface InvitationTable {
  organization_id: OrganizationId
  id: GeneratedAlways<InvitationId>
  /** Null for an invitation link, which any number of people can use. */
  email: string | null
  invited_by: UserId
  role: Role
  key_hash: Buffer
  key_sealed: Buffer
  origin: string
  invited_at: ColumnType<Date, Date | undefined, Date>
  letters: Generated<number>
  ended_at: Date | null
  /** Times at which the e-mail was sent again; includes at least those within the last day. */
  resent_at: Generated<Date[]>
}

interface InvitationStreamTable {
  organization_id: OrganizationId
  invitation_id: InvitationId
  stream_id: StreamId
}

interface SignUpTable {
  organization_id: OrganizationId
  id: GeneratedAlways<number>
  email: string
  invitation_id: InvitationId | null
  key_hash: Buffer
  key_sealed: Buffer
  origin: string
  created_at: CreatedAt
  ended_at: Date | null
}

interface InvitedUserTable {
  organization_id: OrganizationId
  user_id: UserId
  invited_by: UserId
}

interface OutboxTable {
  tx: ColumnType<number, never, never>
  id: GeneratedAlways<number>
  organization_id: OrganizationId
  width: Generated<number>
  header: string
  event: string | null
}

interface EventHeadTable {
  organization_id: OrganizationId
  last_seq: number
  dropped_seq: number
  moved_at: Date
}

interface EventQueueTable {
  id: string
  organization_id: OrganizationId
  user_id: UserId
  cut_seq: number
  cut_snapshot: string
  /** Stored as JSON. */
  options: ColumnType<object, string, never>
  lifespan_seconds: number
  created_at: CreatedAt
  seen_at: ColumnType<Date, Date | undefined, Date>
}

interface SubscriptionPeriodTable {
  organization_id: OrganizationId
  user_id: UserId
  stream_id: StreamId
  from_outbox_id: number
  to_outbox_id: number | null
  from_message_id: number
  to_message_id: number | null
}

interface IdempotentResponseTable {
  organization_id: OrganizationId
  user_id: UserId
  key: string
  fingerprint: Buffer
  answer: ColumnType<object, string, string>
  created_at: ColumnType<Date, Date | undefined, Date>
}

interface StreamTable {
  organization_id: OrganizationId
  id: GeneratedAlways<StreamId>
  name: string
  folded_name: string
  description: string
  rendered_description: string
  invite_only: boolean
  history_public_to_subscribers: boolean
  stream_post_policy: PostPolicy
  rights: Generated<StreamRights>
  message_retention_days: number | null
  email_token: Generated<string>
  created_at: CreatedAt
  archived_at: Date | null
  first_message_id: number | null
  folder_id: StreamFolderId | null
}

interface StreamFolderTable {
  organization_id: OrganizationId
  id: GeneratedAlways<StreamFolderId>
  name: string
  folded_name: string
  description: string
  rendered_description: string
  position: number
  is_archived: Generated<boolean>
  created_at: CreatedAt
  creator_id: UserId | null
}

interface StreamSectionTable {
  organization_id: OrganizationId
  user_id: UserId
  position: number
  kind: StreamSection['kind']
  name: string | null
  folder_id: StreamFolderId | null
  stream_ids: StreamId[]
}

interface SubscriptionTable {
  organization_id: OrganizationId
  user_id: UserId
  stream_id: StreamId
  is_active: boolean
  color: string
  is_muted: Generated<boolean>
  pin_to_top: Generated<boolean>
  desktop_notifications: boolean | null
  audible_notifications: boolean | null
  push_notifications: boolean | null
  email_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
  read_to: Generated<number>
}

interface StreamTrafficTable {
  organization_id: OrganizationId
  stream_id: StreamId
  day: string
  messages: number
}

interface MutedTopicTable {
  organization_id: OrganizationId
  user_id: UserId
  stream_id: StreamId
  topic: string
  folded_topic: string
  muted_at: CreatedAt
}

interface MutedUserTable {
  organization_id: OrganizationId
  user_id: UserId
  muted_user_id: UserId
  muted_at: CreatedAt
}

interface TopicAttentionTable {
  organization_id: OrganizationId
  user_id: UserId
  stream_id: StreamId
  topic: string
  folded_topic: string
  policy: 2 | 3
  changed_at: CreatedAt
}

interface DefaultStreamTable {
  organization_id: OrganizationId
  stream_id: StreamId
}

interface DefaultStreamGroupTable {
  organization_id: OrganizationId
  id: GeneratedAlways<DefaultStreamGroupId>
  name: string
  description: string
}

interface DefaultStreamGroupStreamTable {
  organization_id: OrganizationId
  group_id: DefaultStreamGroupId
  stream_id: StreamId
}

interface SystemAccountTable {
  id: Generated<UserId>
  email: string
  full_name: string
}

interface ConversationTable {
  organization_id: OrganizationId
  id: Generated<number>
  members: UserId[]
  members_digest: Buffer
}

interface MessageTable {
  organization_id: OrganizationId
  id: MessageId
  sent_recipient_id: number
  recipient_id: number
  arrived_id: number
  /** Set by a trigger. */
  changed_id: Generated<number | null>
  outbox_id: number
  sender_id: UserId
  sent_at: Date
  edited_at: Date | null
  is_private: boolean
  mentions_wildcard: boolean
  has_link: boolean
  has_image: boolean
  has_attachment: boolean
  client: string
  topic: string
  folded_topic: string
  content: string
  rendered_content: string
  /** Search terms of the message; null until it was indexed. */
  words: number[] | null
  topic_words: number[] | null
}

interface MessageStayTable {
  organization_id: OrganizationId
  message_id: MessageId
  stream_id: StreamId
  from_id: number
  to_id: number
}

interface UserMessageTable {
  organization_id: OrganizationId
  user_id: UserId
  message_id: MessageId
  is_private: boolean
  is_unread: Generated<boolean>
  is_starred: Generated<boolean>
  is_collapsed: Generated<boolean>
  is_mentioned: Generated<boolean>
  has_alert_word: Generated<boolean>
  is_historical: Generated<boolean>
}

interface UploadTable {
  organization_id: OrganizationId
  id: GeneratedAlways<UploadId>
  owner_id: UserId
  path_id: string
  file_name: string
  size: number
  content_type: string
  sha256: string
  width: number | null
  height: number | null
  is_animated: boolean | null
  thumbnail_formats: string[] | null
  thumbnail_attempts: Generated<number>
  created_at: CreatedAt
  /** True for what a bot uploaded before it got another person as its owner. */
  is_hidden_from_owner: Generated<boolean>
  /**
   * Set by triggers; null while a message, or an unsent text (draft or scheduled message) of its owner refers
   * to the upload.
   */
  unclaimed_since: Generated<Date | null>
}

interface UploadClaimTable {
  organization_id: OrganizationId
  upload_id: UploadId
  message_id: MessageId
}

/** A reference to an upload in an unsent text of its owner. Triggers maintain the table. */
interface UploadHoldTable {
  organization_id: OrganizationId
  id: GeneratedAlways<number>
  upload_id: UploadId
  owner_id: UserId
  draft_id: DraftId | null
  scheduled_message_id: ScheduledMessageId | null
}

/** Triggers maintain this table. */
interface UploadUsageTable {
  organization_id: OrganizationId
  bytes: number
}

interface UnfinishedUploadTable {
  path_id: string
  organization_id: OrganizationId
  started_at: Generated<Date>
}

interface ReadMarkTable {
  organization_id: OrganizationId
  user_id: UserId
  stream_id: number
  message_id: MessageId
  is_read: boolean
}

interface MessageEditTable {
  organization_id: OrganizationId
  message_id: MessageId
  id: GeneratedAlways<number>
  user_id: UserId
  edited_at: Date
  prev_topic: string | null
  prev_content: string | null
  prev_rendered_content: string | null
  prev_stream_id: StreamId | null
}

interface CustomEmojiTable {
  organization_id: OrganizationId
  id: number
  name: string
  author_id: UserId
  file: string
  is_deactivated: Generated<boolean>
}

interface UserGroupTable {
  organization_id: OrganizationId
  id: GeneratedAlways<UserGroupId>
  name: string
  description: string
}

interface UserGroupMemberTable {
  organization_id: OrganizationId
  group_id: UserGroupId
  user_id: UserId
}

interface UserGroupSubgroupTable {
  organization_id: OrganizationId
  group_id: UserGroupId
  subgroup_id: UserGroupId
}

interface DataExportTable {
  organization_id: OrganizationId
  id: GeneratedAlways<DataExportId>
  acting_user_id: UserId
  origin: string
  started_at: Generated<Date>
  finished_at: Date | null
  failed_at: Date | null
  deleted_at: Date | null
  size: number | null
}

interface LinkifierTable {
  organization_id: OrganizationId
  id: GeneratedAlways<LinkifierId>
  pattern: string
  url_format: string
}

interface ReactionTable {
  organization_id: OrganizationId
  message_id: MessageId
  user_id: UserId
  reaction_type: ReactionType
  emoji_code: string
  emoji_name: string
  id: GeneratedAlways<number>
}

interface SubmessageTable {
  organization_id: OrganizationId
  message_id: MessageId
  id: Generated<number>
  sender_id: UserId
  msg_type: string
  content: string
}

interface DraftTable {
  organization_id: OrganizationId
  user_id: UserId
  id: GeneratedAlways<DraftId>
  type: '' | 'stream' | 'private'
  recipients: number[]
  topic: string
  content: string
  edited_at: number
}

interface PresenceTable {
  organization_id: OrganizationId
  user_id: UserId
  client: string
  active_at: Date | null
  idle_at: Date | null
}

interface AlertWordTable {
  organization_id: OrganizationId
  user_id: UserId
  word: string
  spelling: string
  id: GeneratedAlways<number>
}

interface UserStatusTable {
  organization_id: OrganizationId
  user_id: UserId
  is_away: boolean
  status_text: string
}

interface DeviceTable {
  organization_id: OrganizationId
  kind: 'apple' | 'android'
  token: string
  token_digest: Buffer
  user_id: UserId
  app_id: string | null
  added_at: Generated<Date>
}

interface TrafficCountTable {
  organization_id: OrganizationId
  counted_to: number
}

interface OwnerNoticeTable {
  organization_id: OrganizationId
  bot_id: UserId
  told_at: Date
}

interface WebhookFailureTable {
  organization_id: OrganizationId
  id: GeneratedAlways<WebhookFailureId>
  bot_id: UserId
  integration: string
  received_at: CreatedAt
  code: string
  reason: string
  query: string
  headers: ColumnType<Record<string, string>, string, never>
  body: Buffer | null
  body_bytes: number
  is_signed: boolean
  owner_id: UserId | null
}

/** A message that will be sent at a later time. The transaction that sends it deletes the row. */
interface ScheduledMessageTable {
  organization_id: OrganizationId
  id: GeneratedAlways<ScheduledMessageId>
  sender_id: UserId
  is_reminder: boolean
  stream_id: StreamId | null
  topic: string
  people: UserId[] | null
  content: string
  rendered_content: string
  widget_content: string | null
  client: string
  origin: string
  is_read_by_sender: boolean
  deliver_at: Date
  attempt_at: Date
  attempts: Generated<number>
  failure: string | null
  awaits_notice: Generated<boolean>
  revision: Generated<number>
}

interface ScheduledSenderTable {
  organization_id: OrganizationId
  user_id: UserId
  claimed_until: Generated<Date>
  claimed_by: string | null
}

interface LinkPageTable {
  organization_id: OrganizationId
  url: string
  requested_by: UserId
  fetch_began_at: Generated<Date>
  claimed_until: Date
  expires_at: Date | null
  title: Generated<string>
  description: Generated<string>
  image: Generated<string>
}

/** A message whose linked pages are to be previewed. */
interface LinkPreviewRequestTable {
  organization_id: OrganizationId
  message_id: MessageId
  sender_id: UserId
  links: string[]
  content_hash: Buffer
  due_at: Generated<Date>
  attempts: Generated<number>
  waits_for: string | null
}

interface OutgoingWebhookCallTable {
  organization_id: OrganizationId
  bot_id: UserId
  message_id: MessageId
  created_at: CreatedAt
  due_at: Generated<Date>
  claimed_until: Generated<Date>
  attempts: Generated<number>
}

/** A message without the columns that only searches use. */
export type MessageRow = Omit<Selectable<MessageTable>, 'words' | 'topic_words'>
export type MessageEditRow = Selectable<MessageEditTable>
export type CustomEmojiRow = Selectable<CustomEmojiTable>
export type UserGroupRow = Selectable<UserGroupTable>
export type UploadRow = Selectable<UploadTable>
export type DataExportRow = Selectable<DataExportTable>
export type LinkifierRow = Selectable<LinkifierTable>
export type ReactionRow = Selectable<ReactionTable>
export type InvitationRow = Selectable<InvitationTable>
export type SignUpRow = Selectable<SignUpTable>
export type EmailChangeRow = Selectable<EmailChangeTable>
export type PasswordResetRow = Selectable<PasswordResetTable>
export type OrganizationRow = Selectable<OrganizationTable>
export type UserRow = Selectable<UserAccountTable>
export type BotServiceRow = Selectable<BotServiceTable>
export type ProfileFieldRow = Selectable<ProfileFieldTable>
export type StreamRow = Selectable<StreamTable>
export type StreamFolderRow = Selectable<StreamFolderTable>
export type SubscriptionRow = Selectable<SubscriptionTable>
export type WebhookFailureRow = Selectable<WebhookFailureTable>
export type ScheduledMessageRow = Selectable<ScheduledMessageTable>
export type LinkPreviewRequestRow = Selectable<LinkPreviewRequestTable>
export type OutgoingWebhookCallRow = Selectable<OutgoingWebhookCallTable>
export type DefaultStreamGroupRow = Selectable<DefaultStreamGroupTable>
