import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { isKey } from '../files/file-store.ts'
import { isNetwork } from '../network-of.ts'
import { findDatabaseUrlProblem } from './database-url.ts'

/**
 * Declares one setting of the server. `oxbow config` lists all settings with value, variable and `about`, and
 * masks the value if `secret` is set.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Name of the environment variable. */
  readonly env: string
  /** Validates and converts the value, and supplies the default. */
  readonly schema: Schema
  /** Describes the setting to operators in a short phrase. */
  readonly about: string
  /** Masks the value when it is shown: all of it, or only the password inside a URL. */
  readonly secret?: 'whole' | 'url'
}

const setting = <Schema extends z.ZodType>(declaration: Setting<Schema>) => declaration

const number = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, { error })
}

/** Accepts booleans and their text, because environment variables are always text. */
const trueOrFalse = () =>
  z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
    error: 'must be true or false',
  })

const flag = () => trueOrFalse().default(false)

const names = () =>
  z.union([z.array(z.string()), z.string().transform(splitNames)], {
    error: 'must be names with commas between them',
  })

const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const absoluteUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text),
    'must be a URL like https://chat.example.com',
  )
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''))

function isEndpoint(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}

export const settings = {
  mode: setting({
    env: 'OXBOW_MODE',
    schema: z.enum(['production', 'development']).default('production'),
    about:
      'development enables dev_fetch_api_key, which gives out API keys without a password, lets people choose weak passwords and checks every response against the contract',
  }),
  database_url: setting({
    env: 'DATABASE_URL',
    schema: z
      .string()
      .check((context) => {
        const message = findDatabaseUrlProblem(context.value)
        if (message) context.issues.push({ code: 'custom', input: context.value, message })
      })
      .default('postgres:///oxbow?host=/var/run/postgresql'),
    about: 'the PostgreSQL database; the default is the local socket',
    secret: 'url',
  }),
  database_pool_size: setting({
    env: 'OXBOW_DATABASE_POOL_SIZE',
    schema: number(3, 500).default(10),
    about: 'connections to PostgreSQL that this node may hold; background jobs need one for themselves',
  }),
  host: setting({
    env: 'OXBOW_HOST',
    schema: z.string({ error: 'must be a host name or an address' }).min(1).default('127.0.0.1'),
    about: 'the address to listen on; 0.0.0.0 for every network of this machine',
  }),
  port: setting({
    env: 'OXBOW_PORT',
    schema: number(0, 65_535).default(8484),
    about: 'the port to listen on; 0 takes any free one',
  }),
  processes: setting({
    env: 'OXBOW_PROCESSES',
    schema: z
      .union([z.literal('auto').transform(() => availableParallelism()), number(1, 256)], {
        error: 'must be a whole number from 1 to 256, or auto',
      })
      .default(1),
    about: 'processes that serve the port together, each a node; auto: one for each processor',
  }),
  external_url: setting({
    env: 'OXBOW_EXTERNAL_URL',
    schema: absoluteUrl.optional(),
    about:
      'the URL of the root organization, like https://chat.example.com; other organizations are at its subdomains',
  }),
  data_dir: setting({
    env: 'OXBOW_DATA_DIR',
    schema: z.string().min(1).default(defaultDataDir),
    about:
      'the directory in which this node keeps its secret, for a day the web client of the previous release and, unless files_dir is set, uploaded files',
  }),
  web_dir: setting({
    env: 'OXBOW_WEB_DIR',
    schema: z.string().min(1).optional(),
    about: 'the directory of the built web client; without it, the one that belongs to this release',
  }),
  integrations_dir: setting({
    env: 'OXBOW_INTEGRATIONS_DIR',
    schema: z.string().min(1).optional(),
    about: 'the directory of your own integrations, beside those of this release',
  }),
  files_dir: setting({
    env: 'OXBOW_FILES_DIR',
    schema: z.string().min(1).optional(),
    about:
      'the directory of uploaded files, which all nodes must share; without it, the directory files in data_dir',
  }),
  s3_bucket: setting({
    env: 'OXBOW_S3_BUCKET',
    schema: z
      .string()
      .regex(/^[\w.-]{3,255}$/, 'must be the name of a bucket, like oxbow-files')
      .optional(),
    about:
      'the bucket of an S3-compatible object store that keeps uploaded files; without it, files_dir does',
  }),
  s3_endpoint: setting({
    env: 'OXBOW_S3_ENDPOINT',
    schema: z
      .string()
      .refine(
        isEndpoint,
        'must be the URL of an object store without user or query, like https://s3.example.com',
      )
      .optional(),
    about: 'the URL of the object store; without it, the one of AWS for s3_region',
  }),
  s3_access_key: setting({
    env: 'OXBOW_S3_ACCESS_KEY',
    schema: z.string().min(1).optional(),
    about: 'the name of the key (access key id) with which the nodes use the bucket',
  }),
  s3_secret_key: setting({
    env: 'OXBOW_S3_SECRET_KEY',
    schema: z.string().min(1).optional(),
    about: 'the secret part of that key (secret access key)',
    secret: 'whole',
  }),
  s3_region: setting({
    env: 'OXBOW_S3_REGION',
    schema: z
      .string()
      .regex(/^[\w-]+$/, 'must be the name of a region, like eu-central-1')
      .default('us-east-1'),
    about: 'the region of the bucket; most object stores other than AWS accept the default',
  }),
  s3_prefix: setting({
    env: 'OXBOW_S3_PREFIX',
    schema: z
      .string()
      .transform((text) => text.replace(/^\/+|(?<!\/)\/+$/g, ''))
      .refine(
        (text) => text === '' || isKey(text),
        'must be names of letters, digits, _, - and dots, with slashes between them, like oxbow/files',
      )
      .default(''),
    about: 'the folder of the bucket in which files are kept; it must contain nothing else',
  }),
  s3_path_style: setting({
    env: 'OXBOW_S3_PATH_STYLE',
    schema: trueOrFalse().optional(),
    about:
      'true: the bucket is named in the path (https://s3.example.com/bucket), false: in the host (https://bucket.s3.example.com); without it, true except for AWS',
  }),
  files_redirect: setting({
    env: 'OXBOW_FILES_REDIRECT',
    schema: flag(),
    about:
      'true: clients are redirected to the object store, which they must be able to reach, to download uploaded files; false: the nodes pass files on',
  }),
  secret: setting({
    env: 'OXBOW_SECRET',
    schema: z.string().min(32, 'must have at least 32 characters: try `openssl rand -base64 32`').optional(),
    about:
      'the secret that API keys are encrypted with, the same on every node; without it one is created in data_dir',
    secret: 'whole',
  }),
  old_secret: setting({
    env: 'OXBOW_OLD_SECRET',
    schema: z.string().min(32, 'must be the whole secret from before').optional(),
    about:
      'the previous secret, during `oxbow secret rotate`; without it, the file secret.old in data_dir if it exists',
    secret: 'whole',
  }),
  rate_limit_per_minute: setting({
    env: 'OXBOW_RATE_LIMIT_PER_MINUTE',
    schema: number(0, 1_000_000).default(200),
    about: 'requests an account may make in a minute; 0 for no limit',
  }),
  failed_sign_ins_per_hour: setting({
    env: 'OXBOW_FAILED_SIGN_INS_PER_HOUR',
    schema: number(0, 1_000_000).default(50),
    about:
      'wrong passwords that one address (of IPv6: one /64 network) may send in an hour, over all accounts; 0 for no limit',
  }),
  password_resets_per_hour: setting({
    env: 'OXBOW_PASSWORD_RESETS_PER_HOUR',
    schema: number(0, 1_000_000).default(30),
    about:
      'requests for a forgotten password that one address (of IPv6: one /64 network) may make in an hour; 0 for no limit',
  }),
  stranger_limit_per_minute: setting({
    env: 'OXBOW_STRANGER_LIMIT_PER_MINUTE',
    schema: number(0, 1_000_000).optional(),
    about:
      'requests without an account, and failed sign-ins, that one IPv4 address or IPv6 /64 network may make in a minute; 0 for no limit; without it 300, or no limit where rate_limit_per_minute is 0',
  }),
  connections_per_account: setting({
    env: 'OXBOW_CONNECTIONS_PER_ACCOUNT',
    schema: number(0, 1_000_000).default(100),
    about: 'open requests, including long polls, that one account may have on this node; 0 for no limit',
  }),
  link_previews: setting({
    env: 'OXBOW_LINK_PREVIEWS',
    schema: trueOrFalse().default(true),
    about:
      'whether this server fetches pages that messages link to and shows their titles; false where it must not connect to other hosts',
  }),
  trusted_proxies: setting({
    env: 'OXBOW_TRUSTED_PROXIES',
    schema: names()
      .refine((list) => list.every(isNetwork), {
        error: 'must be addresses or networks like 10.0.0.0/8, with commas between them',
      })
      .default([]),
    about:
      'addresses or networks of the proxies in front of this node, separated by commas; X-Forwarded-For, -Host and -Proto are trusted only from these',
  }),
  outward_allowed_networks: setting({
    env: 'OXBOW_OUTWARD_ALLOWED_NETWORKS',
    schema: names()
      .refine((list) => list.every(isNetwork), {
        error: 'must be addresses or networks like 10.0.0.0/8, with commas between them',
      })
      .default([]),
    about:
      'private addresses or networks, separated by commas, from which this node may fetch pictures and pages that messages link to, and where it may call outgoing webhooks; without it, only hosts of the public Internet',
  }),
  metrics_listen: setting({
    env: 'OXBOW_METRICS_LISTEN',
    schema: z
      .string()
      .refine(
        (text) => text === 'off' || /^(\[[0-9a-f:.]+\]|[^\s:/]+):\d{1,5}$/i.test(text),
        'must be an address and a port, like 127.0.0.1:9484, or off',
      )
      .default('127.0.0.1:9484'),
    about:
      'the address and port that serve /metrics without a token; `off` for none; a second node on the same machine needs another one',
  }),
  metrics_token: setting({
    env: 'OXBOW_METRICS_TOKEN',
    schema: z.string().min(16, 'must have at least 16 characters').optional(),
    about: 'the token with which (`Authorization: Bearer`) /metrics is also served at the address of the API',
    secret: 'whole',
  }),
  log_level: setting({
    env: 'OXBOW_LOG_LEVEL',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    about: 'the lowest level that is logged: fatal, error, warn, info, debug or trace; silent logs nothing',
  }),
  log_format: setting({
    env: 'OXBOW_LOG_FORMAT',
    schema: z.enum(['auto', 'json', 'text']).default('auto'),
    about: 'json: one object a line; text: for people; auto: text on a terminal, json elsewhere',
  }),
  otlp_endpoint: setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: absoluteUrl.optional(),
    about:
      'the URL of an OpenTelemetry collector that receives traces by OTLP over HTTP, like http://localhost:4318; without it, nothing is traced',
    secret: 'url',
  }),
  drain_seconds: setting({
    env: 'OXBOW_DRAIN_SECONDS',
    schema: number(0, 600).default(5),
    about:
      'how long a stopping node (SIGTERM) still serves requests, while /ready returns 503 and connections are closed after their next response',
  }),
  nats_url: setting({
    env: 'NATS_URL',
    schema: z
      .string()
      .refine(
        (text) => /^(nats|tls|ws|wss):\/\//.test(text),
        'must start with nats://, like nats://localhost:4222',
      )
      .optional(),
    about: 'a NATS server that carries events between nodes; without it, PostgreSQL does',
    secret: 'url',
  }),
  queue_lifespan_seconds: setting({
    env: 'OXBOW_QUEUE_LIFESPAN_SECONDS',
    schema: number(1, 604_800).default(600),
    about: 'how long an event queue is kept while nobody polls it, unless its client asks for more',
  }),
  queue_lifespan_limit_seconds: setting({
    env: 'OXBOW_QUEUE_LIFESPAN_LIMIT_SECONDS',
    schema: number(1, 604_800).default(604_800),
    about:
      'the longest lifespan that a client may ask for; while such a queue exists the event log is kept as long, including the text of edited and deleted messages',
  }),
  events_log_limit_mb: setting({
    env: 'OXBOW_EVENTS_LOG_LIMIT_MB',
    schema: number(1, 10_000_000).default(1_024),
    about:
      'the size limit of the event log in the database; beyond it the oldest events are dropped, and queues that need them end',
  }),
  recent_events_mb: setting({
    env: 'OXBOW_RECENT_EVENTS_MB',
    schema: number(1, 100_000).default(32),
    about: 'memory that this node uses for the newest events; older ones are read from the database',
  }),
  shared_users_mib: setting({
    env: 'OXBOW_SHARED_USERS_MIB',
    schema: number(0, 100_000).default(128),
    about:
      'MiB that this node uses for lists of all users that callers share; one list of 100,000 people takes about 35; 0 reads them from the database each time',
  }),
  max_upload_mib: setting({
    env: 'OXBOW_MAX_UPLOAD_MIB',
    // An object store accepts up to 10,000 parts of 5 MiB.
    schema: number(0, 50_000).default(25),
    about: 'the size limit of an uploaded file in MiB; 0 disables uploads',
  }),
  upload_mib_per_day: setting({
    env: 'OXBOW_UPLOAD_MIB_PER_DAY',
    schema: number(0, 1_000_000_000).default(10_240),
    about:
      'MiB that one account may upload in 24 hours, not less than max_upload_mib; files that were deleted since do not count; 0 for no limit, neither of size nor of the number of files',
  }),
  image_proxy: setting({
    env: 'OXBOW_IMAGE_PROXY',
    schema: trueOrFalse().default(true),
    about:
      'true: the nodes fetch pictures of other hosts that messages show, and readers get them from the nodes; false: readers load them from those hosts, which learn who reads',
  }),
  image_proxy_cache_mib: setting({
    env: 'OXBOW_IMAGE_PROXY_CACHE_MIB',
    schema: number(1, 100_000).default(32),
    about: 'memory in MiB that this node uses for pictures of other hosts',
  }),
  avatar_changes_disabled: setting({
    env: 'OXBOW_AVATAR_CHANGES_DISABLED',
    schema: flag(),
    about: 'true: only administrators may upload or remove an avatar, in any organization',
  }),
  hidden_email_domain: setting({
    env: 'OXBOW_HIDDEN_EMAIL_DOMAIN',
    schema: z.string().min(1).optional(),
    about: 'the domain of the addresses shown in place of hidden ones; without it, the host of external_url',
  }),
  smtp_url: setting({
    env: 'OXBOW_SMTP_URL',
    schema: z
      .string()
      .refine((text) => /^smtps?:\/\//.test(text), 'must start with smtp:// or smtps://')
      .optional(),
    about: 'the mail server to send through, like smtp://user:password@mail.example.com:587',
    secret: 'url',
  }),
  mail_from: setting({
    env: 'OXBOW_MAIL_FROM',
    schema: z.string().min(3).default('Oxbow <noreply@localhost>'),
    about: 'the sender address of e-mails',
  }),
  invites_per_day: setting({
    env: 'OXBOW_INVITES_PER_DAY',
    schema: number(0, 1_000_000).default(1_000),
    about:
      'e-mails that an organization may send in a day to people it invites, and as many to people who sign up; 0 for no limit',
  }),
  invitation_resends_per_day: setting({
    env: 'OXBOW_INVITATION_RESENDS_PER_DAY',
    schema: number(0, 1_000).default(3),
    about: 'invitations by e-mail that an address may get in a day beyond the first one; 0 for no limit',
  }),
  bots_per_person: setting({
    env: 'OXBOW_BOTS_PER_PERSON',
    schema: number(0, 1_000_000).default(50),
    about: 'bots that one person may own, deactivated ones included; 0 for no limit',
  }),
  bot_storage_characters: setting({
    env: 'OXBOW_BOT_STORAGE_CHARACTERS',
    schema: number(1, 10_000_000).default(1_000_000),
    about: 'characters that one account may keep in the bot storage, keys and values together',
  }),
  streams_per_organization: setting({
    env: 'OXBOW_STREAMS_PER_ORGANIZATION',
    schema: number(0, 1_000_000).default(10_000),
    about: 'streams that one organization may have, without archived ones; 0 for no limit',
  }),
  stream_descriptions_mib: setting({
    env: 'OXBOW_STREAM_DESCRIPTIONS_MIB',
    schema: number(0, 1_024).default(5),
    about:
      'MiB that the descriptions of all streams of one organization may take together, with their HTML, because clients get all of them; 0 for no limit',
  }),
  emoji_per_organization: setting({
    env: 'OXBOW_EMOJI_PER_ORGANIZATION',
    schema: number(0, 1_000_000).default(1_000),
    about: 'custom emoji that one organization may have, deactivated ones included; 0 for no limit',
  }),
  groups_per_organization: setting({
    env: 'OXBOW_GROUPS_PER_ORGANIZATION',
    schema: number(0, 1_000_000).default(1_000),
    about: 'user groups that one organization may have; 0 for no limit',
  }),
  group_members_per_organization: setting({
    env: 'OXBOW_GROUP_MEMBERS_PER_ORGANIZATION',
    schema: number(0, 100_000_000).default(500_000),
    about:
      'members that all user groups of one organization may have together, because clients get all of them; 0 for no limit',
  }),
  terms_url: setting({
    env: 'OXBOW_TERMS_URL',
    schema: absoluteUrl.optional(),
    about: 'a page with terms that everyone who joins must accept',
  }),
  jitsi_server_url: setting({
    env: 'OXBOW_JITSI_SERVER_URL',
    schema: z
      .union([z.literal('off').transform(() => null), absoluteUrl], {
        error: 'must be a URL like https://meet.example.com, or off',
      })
      .nullable()
      .default('https://meet.jit.si'),
    about: 'the Jitsi Meet server on which clients open video calls; `off` for none',
  }),
  email_gateway_pattern: setting({
    env: 'OXBOW_EMAIL_GATEWAY_PATTERN',
    schema: z
      .string()
      .refine((text) => /^%s@[^\s@%]+$/.test(text), 'must be like %s@mail.example.com')
      .optional(),
    about: 'the addresses under which mail reaches streams, with %s for the part before the @',
  }),
  'compat.legacy_names': setting({
    env: 'OXBOW_COMPAT_LEGACY_NAMES',
    schema: z.enum(['auto', 'always', 'never']).default('auto'),
    about:
      'which clients get fields and parameters under their older names; auto: the version fields go to all but browsers, curl, Node and oxbow, the rest to clients that name the older product in their User-Agent',
  }),
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type Config = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

function defaultDataDir(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'oxbow')
}
