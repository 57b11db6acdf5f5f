import { z } from 'zod'
import { json, nonNegativeInteger, type Param } from './params.ts'
import { oneOfIntegers } from './schemas.ts'

/**
 * A setting of an organization or of an account. Its parameter, its field in the state, in events, in responses and in
 * exports, and the type of its column follow from it.
 */
export interface Setting<Value extends z.ZodType = z.ZodType, Given extends Param = Param> {
  /** The value in the state, in events and in responses. */
  readonly value: Value
  /** The value in exports, which is that of the column. */
  readonly stored: z.ZodType
  /** The parameter that changes the setting. */
  readonly param: Given
  /** The description of the value. */
  readonly about: string
  /** The description of the parameter. */
  readonly paramAbout: string
}

export type Settings = Readonly<Record<string, Setting>>

export type ValuesOf<Declared extends Settings> = { [Name in keyof Declared]: Declared[Name]['value'] }
export type ParamsOfSettings<Declared extends Settings> = {
  [Name in keyof Declared]: Declared[Name]['param']
}

/** The value of each setting, by name. */
export type OutputOf<Declared extends Settings> = {
  [Name in keyof Declared]: z.output<Declared[Name]['value']>
}

interface SettingOptions<Given extends Param> {
  /** The default is JSON of the value. */
  param?: Given
  /** The default is `value`. */
  stored?: z.ZodType
  /** The default is `about`, and that the setting is unchanged without the parameter. */
  paramAbout?: string
}

/** Declares a setting. Its parameter is optional, because requests change only some settings. */
export function setting<Value extends z.ZodType, Given extends Param = Param<z.ZodOptional<Value>>>(
  value: Value,
  about: string,
  { param, stored = value, paramAbout = `${about} Unchanged if absent.` }: SettingOptions<Given> = {},
): Setting<Value, Given> {
  return { value, stored, param: param ?? (json(value.optional()) as Param as Given), about, paramAbout }
}

/** Declares a setting that is one of a few numbers. */
export const choiceSetting = <const Codes extends readonly number[]>(codes: Codes, about: string) =>
  setting(z.int(), about, {
    param: json(oneOfIntegers(codes).optional()),
    stored: z.literal(codes as readonly Codes[number][]),
  })

/** A number in a column of the type `integer`. */
export const storedAmount = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** Declares a setting that is a number of seconds or days. */
export const amountSetting = (about: string) =>
  setting(z.int(), about, { param: nonNegativeInteger(z.int().optional()), stored: storedAmount })

/** Returns the type of each setting, by name. */
export const valuesOf = <Declared extends Settings>(settings: Declared): ValuesOf<Declared> =>
  pick(settings, ({ value }) => value) as ValuesOf<Declared>

/** Returns the parameter of each setting, by name. */
export const paramsOf = <Declared extends Settings>(settings: Declared): ParamsOfSettings<Declared> =>
  pick(settings, ({ param }) => param) as ParamsOfSettings<Declared>

/** Returns something of each setting, by name. */
export function pick<Declared extends Settings, Part>(
  settings: Declared,
  part: (setting: Setting, name: string) => Part,
): { [Name in keyof Declared]: Part } {
  const entries = Object.entries(settings).map(([name, declared]) => [name, part(declared, name)])
  return Object.fromEntries(entries)
}

/** Returns the fields in the alphabetical order of their names. */
export const inAlphabeticalOrder = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) as Fields
