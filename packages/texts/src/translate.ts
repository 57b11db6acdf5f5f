/**
 * Declares the messages of a catalogue: for each message, the kinds of its arguments by name. The
 * compiler generates it.
 */
type Declared = object

/** A part of a text: a string, or markup of type `Markup` that the caller passed as an argument. */
type Piece<Markup> = string | Markup

interface Kinds<Markup> {
  text: Piece<Markup>
  number: number
  /** Wraps the text inside a tag. */
  tag: (content: readonly Piece<Markup>[]) => Markup
}

type Arguments<Of, Markup> = {
  [Name in keyof Of]: Kinds<Markup>[Of[Name] & keyof Kinds<Markup>]
}

/** The arguments that follow the key. Empty if the text has none. */
export type RestOf<Of, Markup> = keyof Of extends never ? [] : [args: Arguments<Of, Markup>]

/** Returns texts of one language by key. */
export interface TranslateBy<Messages extends Declared, Language extends string = string> {
  readonly language: Language
  /** Returns a text whose arguments are plain strings and numbers. */
  <K extends keyof Messages>(key: K, ...rest: RestOf<Messages[K], never>): string
  /** Returns the pieces of a text whose arguments may be markup, such as links. */
  pieces<K extends keyof Messages, Markup>(key: K, ...rest: RestOf<Messages[K], Markup>): Piece<Markup>[]
}

type Values = Readonly<Record<string, unknown>>
type Nested = readonly unknown[]

/** Functions that compiled messages call for output that depends on the language. */
interface Format {
  number(value: unknown): string
  plural(value: unknown, forms: Readonly<Record<string, (count: string) => Nested>>): Nested
  tag(wrap: unknown, content: Nested): unknown
}

/** The compiled messages of one language, by key. */
export type CatalogueOf<Messages extends Declared> = Readonly<
  Record<keyof Messages, string | ((a: Values, f: Format) => Nested)>
>

/** Creates the function that returns the texts of a catalogue. Texts that it lacks come from `fallback`. */
export function createTranslate<Messages extends Declared, Language extends string>(
  language: Language,
  catalogue: Partial<CatalogueOf<Messages>>,
  fallback: CatalogueOf<Messages>,
): TranslateBy<Messages, Language> {
  const format = makeFormat(language)
  const pieces = (key: keyof Messages, values: Values = {}): unknown[] => {
    const message = catalogue[key] ?? fallback[key]
    return typeof message === 'string' ? [message] : flatten(message(values, format))
  }
  const text = (key: keyof Messages, values?: Values): string => pieces(key, values).join('')
  return Object.assign(text, { language, pieces }) as unknown as TranslateBy<Messages, Language>
}

function makeFormat(language: string): Format {
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
