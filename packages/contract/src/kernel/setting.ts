import { z } from 'zod'
import type { Generation } from '../plain/generations.ts'
import { type Described, type Fields, field, optionalFields } from './field.ts'
import { json, nonNegativeInteger, type Param } from './params.ts'
import { oneOfIntegers } from './schemas.ts'

/**
 * A setting of an organization or of an account. Its parameter, its field in the state, in events, in responses and in
 * exports, and the type of its column follow from it.
 */
export interface Setting<Value extends z.ZodType = z.ZodType, Given extends Param = Param> {
  /** The value in the state, in events and in responses. */
  readonly value: Value & Described
  /** The value in exports, which is that of the column. */
  readonly stored: z.ZodType
  /** The parameter that changes the setting. */
  readonly param: Given
  /** The first generation whose clients get the setting in the state and in events; absent for all. */
  readonly since?: Generation
}

export type Settings = Readonly<Record<string, Setting>>

export type ValuesOf<Declared extends Settings> = {
  [Name in keyof Declared]: Declared[Name]['value']
}
export type ParamsOfSettings<Declared extends Settings> = {
  [Name in keyof Declared]: Declared[Name]['param']
}

/** The value of each setting, by name. */
export type OutputOf<Declared extends Settings> = {
  [Name in keyof Declared]: z.output<Declared[Name]['value']>
}

interface SettingOptions<Given extends Param> {
  /** Declares the parameter. The default is JSON of the value. */
  param?: (description: string) => Given
  /** The default is `value`. */
  stored?: z.ZodType
  /** The first generation whose clients get the setting in the state and in events. The default is all. */
  since?: Generation
}

/** Declares a setting. Its parameter is optional, because requests change only some settings. */
export function setting<Value extends z.ZodType, Given extends Param = Param<z.ZodOptional<Value>>>(
  value: Value,
  description: string,
  { param, stored = value, since }: SettingOptions<Given> = {},
): Setting<Value, Given> {
  const unchanged = `${description} Unchanged if absent.`
  const given = param ? param(unchanged) : (json(value.optional(), unchanged) as Param as Given)
  return { value: field(value, description), stored, param: given, ...(since && { since }) }
}

/** Declares a setting that is one of a few numbers. */
export const choiceSetting = <const Codes extends readonly number[]>(
  codes: Codes,
  description: string,
  options: Pick<SettingOptions<Param>, 'since'> = {},
) =>
  setting(z.int(), description, {
    ...options,
    param: (about) => json(oneOfIntegers(codes).optional(), about),
    stored: z.literal(codes as readonly Codes[number][]),
  })

/** A number in a column of the type `integer`. */
export const storedAmount = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** Declares a setting that is a number of seconds or days. */
export const amountSetting = (description: string) =>
  setting(z.int(), description, {
    param: (about) => nonNegativeInteger(z.int().optional(), about),
    stored: storedAmount,
  })

/** Returns the type of each setting, by name. */
export const valuesOf = <Declared extends Settings>(settings: Declared): ValuesOf<Declared> =>
  pick(settings, ({ value }) => value) as ValuesOf<Declared>

/** Returns the parameter of each setting, by name. */
export const paramsOf = <Declared extends Settings>(settings: Declared): ParamsOfSettings<Declared> =>
  pick(settings, ({ param }) => param) as ParamsOfSettings<Declared>

/** Returns the fields of a response that contains the settings that changed. */
export const changedFields = <Values extends Fields>(values: Values) =>
  optionalFields(values, 'Present only if it changed.')

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
