import type { z } from 'zod'
import type { Outcome } from './outcome.ts'
import type { Signature } from './signature.ts'

/**
 * Turns the deliveries of one service into messages. The folder of the service also has its guide
 * and its fixtures.
 */
export interface Integration<
  Payload extends z.ZodType = z.ZodType,
  Options extends OptionRules = OptionRules,
> {
  /** The name of the service, shown to users and in error texts to the sender. */
  readonly title: string
  /** The name in error texts to the sender, if it differs from the title. */
  readonly nameInErrors?: string
  /** The `<client>` in `Chat<client>Webhook`, the client name that messages show. */
  readonly client: string
  readonly category: Category
  /** How signatures are verified if the bot has a secret. Without it, such a bot refuses the deliveries. */
  readonly signature?: Signature
  /**
   * `key` (the default): `api_key` in the URL. `basic`: the bot's address and key in the
   * Authorization header.
   */
  readonly authentication?: 'key' | 'basic'
  /** The format of the body. `json` by default. */
  readonly body?: BodyKind
  /** The header with the name of the event. `isOptional` means that it may be absent. */
  readonly eventHeader?: { readonly name: string; readonly isOptional?: boolean }
  /** The event names that messages can have. `only_events` and `exclude_events` filter by them. */
  readonly events?: readonly string[]
  /** Schemas of the URL parameters that only this integration has. Their input values are texts. */
  readonly options?: Options
  /**
   * The header with an id that stays the same when a delivery is retried. If one event sends the
   * same id to several webhooks, `within` is the header that identifies the webhook.
   */
  readonly deliveryId?:
    | { readonly header: string; readonly within?: string }
    | ((payload: z.output<Payload>) => string | undefined)
  /**
   * Returns the addresses or names in the payload for which `translate` needs full names in the
   * organization.
   */
  readonly people?: (payload: z.output<Payload>) => readonly string[]
  /** Whether the sender percent-encodes `stream` and `topic` in the URL twice. */
  readonly escapesTwice?: boolean
  /** Whether the service checks the URL with a HEAD request. */
  readonly acceptsHead?: boolean
  /**
   * Whether unreadable bodies are not reported to the bot's owner, because the service also sends
   * unrelated requests to the URL.
   */
  readonly ignoresBadJson?: boolean
  /** Whether missing values are reported to the bot's owner, because users write the payload's template. */
  readonly reportsMissingValues?: boolean
  /** The schema of the values that `translate` reads. */
  readonly payload: Payload
  translate(delivery: Delivery<z.output<Payload>, Options>): Outcome
}

export type OptionRules = Readonly<Record<string, z.ZodType>>

export type Category =
  | 'Version control'
  | 'Project management'
  | 'Monitoring'
  | 'Continuous integration'
  | 'Customer support'
  | 'Financial'
  | 'Automation'
  | 'Communication'

/**
 * `json`: the body is JSON, whatever its content type is. `form`: the body is a form, read as an
 * object of texts. `field`: one field of a form contains the JSON. `json or field`, `json or form`:
 * either one.
 */
export type BodyKind =
  | { readonly kind: 'json' }
  | { readonly kind: 'form' }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'json or field'; readonly field: string }
  | { readonly kind: 'json or form' }

export interface Delivery<Payload, Options extends OptionRules = OptionRules> {
  readonly payload: Payload
  /** The value of the event header, or an empty text if there is none. */
  readonly event: string
  /** Whether the URL sets the topic. Messages must then show titles, because the topic does not. */
  readonly hasTopic: boolean
  readonly options: { readonly [Name in keyof Options]: z.output<Options[Name]> }
  /** Full names in the organization, by the names that `people` returned. Unknown users are absent. */
  readonly people: ReadonlyMap<string, string>
  /** The account of the bot, for services that show the connected account. */
  readonly bot: Bot | undefined
}

export interface Bot {
  readonly id: number
  readonly email: string
  readonly full_name: string
}

export function integration<
  Payload extends z.ZodType,
  const Options extends OptionRules = Record<never, never>,
>(declaration: Integration<Payload, Options>): Integration<Payload, Options> {
  return declaration
}
