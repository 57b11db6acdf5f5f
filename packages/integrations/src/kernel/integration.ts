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
  /** The name of the service for people, also in error texts to the sender. */
  readonly title: string
  /** The name in error texts to the sender, if it is not the title. */
  readonly nameInErrors?: string
  /** The messages' client is `Chat<client>Webhook`. */
  readonly client: string
  readonly category: Category
  /** How signatures are verified, if the bot has a secret. */
  readonly signature?: Signature
  /**
   * `key` (the default): `api_key` in the URL. `basic`: the bot's address and key in the
   * Authorization header.
   */
  readonly authentication?: 'key' | 'basic'
  /** The format of the body. `json` by default. */
  readonly body?: BodyKind
  /** The header with the name of the event. `isOptional` if it may be absent. */
  readonly eventHeader?: { readonly name: string; readonly isOptional?: boolean }
  /**
   * The names of events that messages have and that `only_events` and `exclude_events` filter by.
   */
  readonly events?: readonly string[]
  /** Options in the URL in addition to those of all integrations. Values are texts. */
  readonly options?: Options
  /**
   * The header with an id that is the same when a delivery is retried. `within` is the header that
   * identifies the webhook, if all webhooks that one event triggers send the same id.
   */
  readonly deliveryId?:
    | { readonly header: string; readonly within?: string }
    | ((payload: z.output<Payload>) => string | undefined)
  /**
   * Returns addresses or names from the payload whose full names in the organization the
   * translation needs.
   */
  readonly people?: (payload: z.output<Payload>) => readonly string[]
  /** Whether the sender escapes `stream` and `topic` in the URL twice. */
  readonly escapesTwice?: boolean
  /** Whether the service checks the URL with a HEAD request. */
  readonly acceptsHead?: boolean
  /**
   * Whether unreadable bodies are not reported to the bot's owner, because the service also sends
   * unrelated requests.
   */
  readonly ignoresBadJson?: boolean
  /**
   * Whether missing values are reported to the bot's owner, because people write these payloads by
   * hand.
   */
  readonly reportsMissingValues?: boolean
  /** The schema of the values that the translation reads. */
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
 * `json`: the body, regardless of its content type. `form`: the fields of a form, as an object of
 * texts. `field`: one field of a form contains the JSON. `json or field`, `json or form`: either
 * one.
 */
export type BodyKind =
  | { readonly kind: 'json' }
  | { readonly kind: 'form' }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'json or field'; readonly field: string }
  | { readonly kind: 'json or form' }

export interface Delivery<Payload, Options extends OptionRules = OptionRules> {
  readonly payload: Payload
  /** The value of the event header. Empty if there is none. */
  readonly event: string
  /** Whether the URL sets the topic, so that messages must show the titles. */
  readonly hasTopic: boolean
  readonly options: { readonly [Name in keyof Options]: z.output<Options[Name]> }
  /**
   * Full names in the organization, by the names that `people` returned. Unknown ones are absent.
   */
  readonly people: ReadonlyMap<string, string>
  /** The owner of the bot, for services that show the connected account. */
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
