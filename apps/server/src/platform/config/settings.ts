import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** One setting: where it comes from, what it may be, and what it is for. The table is the documentation too. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly env: string
  readonly schema: Schema
  readonly about: string
  /** Never shown; `url` hides only the password inside. */
  readonly secret?: 'whole' | 'url'
}

const setting = <Schema extends z.ZodType>(declaration: Setting<Schema>) => declaration

const number = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error })
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, { error })
}

/** From the environment everything is text. */
const flag = () =>
  z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
      error: 'must be true or false',
    })
    .default(false)

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
  .transform((text) => text.replace(/\/+$/, ''))

export const settings = {
  mode: setting({
    env: 'OXBOW_MODE',
    schema: z.enum(['production', 'development']).default('production'),
    about:
      'development opens dev_fetch_api_key, lets people choose weak passwords and checks every answer against the contract',
  }),
  database_url: setting({
    env: 'DATABASE_URL',
    schema: z
      .string()
      .refine((text) => /^postgres(ql)?:\/\//.test(text), 'must start with postgres:// or postgresql://')
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
  external_url: setting({
    env: 'OXBOW_EXTERNAL_URL',
    schema: absoluteUrl.optional(),
    about:
      'how people reach the root organization, like https://chat.example.com; others are found at its subdomains',
  }),
  data_dir: setting({
    env: 'OXBOW_DATA_DIR',
    schema: z.string().min(1).default(defaultDataDir),
    about: 'where this node keeps its secret and, unless files_dir says otherwise, what people upload',
  }),
  files_dir: setting({
    env: 'OXBOW_FILES_DIR',
    schema: z.string().min(1).optional(),
    about:
      'where what people upload is kept: one directory that all nodes of a fleet share; without it, files in data_dir',
  }),
  secret: setting({
    env: 'OXBOW_SECRET',
    schema: z.string().min(32, 'must have at least 32 characters: try `openssl rand -base64 32`').optional(),
    about: 'what API keys are encrypted with, the same on every node; without it one is made in data_dir',
    secret: 'whole',
  }),
  rate_limit_per_minute: setting({
    env: 'OXBOW_RATE_LIMIT_PER_MINUTE',
    schema: number(0, 1_000_000).default(200),
    about: 'requests an account may make in a minute; 0 for no limit',
  }),
  log_level: setting({
    env: 'OXBOW_LOG_LEVEL',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    about: 'how much to log: from fatal only to trace',
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
    about: 'a NATS server that carries events between the nodes of a fleet; without it, PostgreSQL does',
    secret: 'url',
  }),
  queue_lifespan_seconds: setting({
    env: 'OXBOW_QUEUE_LIFESPAN_SECONDS',
    schema: number(1, 604_800).default(600),
    about: 'how long an event queue is kept while nobody polls it, unless its client asks for more',
  }),
  queue_lifespan_limit_seconds: setting({
    env: 'OXBOW_QUEUE_LIFESPAN_LIMIT_SECONDS',
    schema: number(1, 604_800).default(86_400),
    about:
      'the longest that a client may ask for; the event log is kept as long, with the text of messages that were edited or deleted meanwhile',
  }),
  events_log_limit_mb: setting({
    env: 'OXBOW_EVENTS_LOG_LIMIT_MB',
    schema: number(1, 10_000_000).default(1_024),
    about:
      'how large the event log may become in the database; beyond it the oldest events go, and with them queues that need them',
  }),
  events_window_mb: setting({
    env: 'OXBOW_EVENTS_WINDOW_MB',
    schema: number(1, 100_000).default(32),
    about: 'memory of this node for the newest events; older ones are read from the database',
  }),
  events_drop_hints_percent: setting({
    env: 'OXBOW_TEST_DROP_HINTS',
    schema: number(0, 100).default(0),
    about: 'for tests: how much of what the carrier brings is thrown away',
  }),
  avatar_provider_url: setting({
    env: 'OXBOW_AVATAR_PROVIDER_URL',
    schema: z.union([z.literal('off'), absoluteUrl]).default('https://secure.gravatar.com'),
    about: 'who serves the avatars of people who uploaded none; `off` for a plain picture of our own',
  }),
  avatar_changes_disabled: setting({
    env: 'OXBOW_AVATAR_CHANGES_DISABLED',
    schema: flag(),
    about: 'true: nobody but administrators may upload or remove an avatar, in any organization',
  }),
  hidden_email_domain: setting({
    env: 'OXBOW_HIDDEN_EMAIL_DOMAIN',
    schema: z.string().min(1).optional(),
    about: 'the domain of the addresses shown in place of hidden ones; without it, the host of external_url',
  }),
  embedded_bots: setting({
    env: 'OXBOW_EMBEDDED_BOTS',
    schema: names().default([]),
    about:
      'the programs that embedded bots may be made for, by name, with commas between them; none: no such bots',
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
    about: 'the sender of our mail',
  }),
  invites_per_day: setting({
    env: 'OXBOW_INVITES_PER_DAY',
    schema: number(0, 1_000_000).default(1_000),
    about:
      'letters that an organization may send in a day to people it invites, and as many to those who sign up; 0 for no limit',
  }),
  terms_url: setting({
    env: 'OXBOW_TERMS_URL',
    schema: absoluteUrl.optional(),
    about: 'a page with terms that everyone who joins must accept',
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
      'who gets the version fields and parameters under their older names; auto: clients that ask for them by User-Agent',
  }),
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type Config = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

function defaultDataDir(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'oxbow')
}
