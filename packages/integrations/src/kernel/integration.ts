import type { z } from 'zod'
import type { Outcome } from './outcome.ts'
import type { Signature } from './signature.ts'

/** How one service's deliveries become messages. Its folder has the same name and holds its guide and its fixtures too. */
export interface Integration<
  Payload extends z.ZodType = z.ZodType,
  Options extends OptionRules = OptionRules,
> {
  /** What people call the service; answers to the sender name it so too. */
  readonly title: string
  /** What answers to the sender name it, where that is not the title. */
  readonly answersAs?: string
  /** The messages' client is `Chat<client>Webhook`. */
  readonly client: string
  readonly category: Category
  /** How a delivery proves that it is the service's, where the bot has a secret. */
  readonly signature?: Signature
  /** `key`, unless given: `api_key` in the URL. `basic`: address and key of the bot in the Authorization header. */
  readonly authentication?: 'key' | 'basic'
  /** `json`, unless given. */
  readonly body?: BodyKind
  /** The header that says what happened. Where it may be absent, `isOptional`. */
  readonly eventHeader?: { readonly name: string; readonly isOptional?: boolean }
  /** The names that `only_events` and `exclude_events` can filter by, as messages carry them. */
  readonly events?: readonly string[]
  /** What can be set in the URL beyond what all integrations know, each a text. */
  readonly options?: Options
  /**
   * Where the sender puts an id that stays the same when it sends again. `within`: the header that names the
   * webhook, where all webhooks that one event sets off have the same id.
   */
  readonly deliveryId?:
    | { readonly header: string; readonly within?: string }
    | ((payload: z.output<Payload>) => string | undefined)
  /** Whose names in this organization the translation asks for: addresses or names that the payload gives. */
  readonly people?: (payload: z.output<Payload>) => readonly string[]
  /** The sender escapes `stream` and `topic` in the URL twice. */
  readonly escapesTwice?: boolean
  /** The service asks with HEAD whether the URL is there. */
  readonly answersHead?: boolean
  /** The owner is not told when a body cannot be read: the service also sends what is none of ours. */
  readonly isQuietAboutBadJson?: boolean
  /** The owner is told when the payload lacks something: people write this service's payloads by hand. */
  readonly tellsOwnerOfLacks?: boolean
  /** Of just what the translation reads. */
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
 * `json`: the body, whatever its content type says. `form`: the fields of a form, as an object of texts.
 * `field`: one field of a form holds the JSON. `json or field`, `json or form`: whichever came.
 */
export type BodyKind =
  | { readonly kind: 'json' }
  | { readonly kind: 'form' }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'json or field'; readonly field: string }
  | { readonly kind: 'json or form' }

export interface Delivery<Payload, Options extends OptionRules = OptionRules> {
  readonly payload: Payload
  /** What the event header says; empty without one. */
  readonly event: string
  /** The URL names the topic, so titles do not show there and belong into the message. */
  readonly hasTopic: boolean
  readonly options: { readonly [Name in keyof Options]: z.output<Options[Name]> }
  /** Full names in this organization of those that `people` named, where they are known. */
  readonly people: ReadonlyMap<string, string>
  /** Whose URL it is, for services that show which account they are connected with. */
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
