import type { Language, Messages } from './messages.generated.ts'

/** The key of a text in the catalogue. */
export type Key = keyof Messages

/** A part of a text: a string, or markup of type `Markup` that the caller passed as an argument. */
export type Piece<Markup> = string | Markup

interface Kinds<Markup> {
  text: Piece<Markup>
  number: number
  /** Wraps the text inside a tag. */
  tag: (content: readonly Piece<Markup>[]) => Markup
}

type Arguments<K extends Key, Markup> = {
  [Name in keyof Messages[K]]: Kinds<Markup>[Messages[K][Name] & keyof Kinds<Markup>]
}

/** The second parameter; absent where the text has no arguments. */
export type RestOf<K extends Key, Markup> = keyof Messages[K] extends never
  ? []
  : [args: Arguments<K, Markup>]

/** Returns texts of one language by key. */
export interface Translate {
  readonly language: Language
  /** Returns a text whose arguments are plain strings and numbers. */
  <K extends Key>(key: K, ...rest: RestOf<K, never>): string
  /** Returns the pieces of a text whose arguments may be markup, such as links. */
  pieces<K extends Key, Markup>(key: K, ...rest: RestOf<K, Markup>): Piece<Markup>[]
}

type Values = Readonly<Record<string, unknown>>
type Nested = readonly unknown[]

/** Functions that compiled messages call for arguments that depend on the language. */
interface Format {
  number(value: unknown): string
  plural(value: unknown, forms: Readonly<Record<string, (count: string) => Nested>>): Nested
  tag(wrap: unknown, content: Nested): unknown
}

/** A language: its compiled messages by key. */
export type Catalogue = Readonly<Record<Key, string | ((a: Values, f: Format) => Nested)>>

/** Makes the function that returns the texts of a catalogue. */
export function createTranslate(language: Language, catalogue: Catalogue): Translate {
  const format = makeFormat(language)
  const pieces = (key: Key, values: Values = {}): unknown[] => {
    const message = catalogue[key]
    return typeof message === 'string' ? [message] : flatten(message(values, format))
  }
  const text = (key: Key, values?: Values): string => pieces(key, values).join('')
  return Object.assign(text, { language, pieces }) as unknown as Translate
}

function makeFormat(language: Language): Format {
  const numbers = new Intl.NumberFormat(language)
  const plurals = new Intl.PluralRules(language)
  return {
    number: (value) => numbers.format(Number(value)),
    plural(value, forms) {
      const form = forms[`=${value}`] ?? forms[plurals.select(Number(value))] ?? forms.other
      return form?.(numbers.format(Number(value))) ?? []
    },
    tag: (wrap, content) => (wrap as (content: unknown[]) => unknown)(flatten(content)),
  }
}

const flatten = (nested: Nested): unknown[] => nested.flat(Number.POSITIVE_INFINITY)
