import type { z } from 'zod'
import { type ErrorDeclaration, type ErrorName, errors } from './errors.ts'

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type FieldsOf<Name extends ErrorName> = (typeof errors)[Name] extends { fields: infer Fields }
  ? { [Field in keyof Fields]: Fields[Field] extends z.ZodType ? z.infer<Fields[Field]> : never }
  : unknown

/** The data that an error is created with: its fields, and values for the placeholders in its text. */
export type ErrorData<Name extends ErrorName> = FieldsOf<Name> & {
  [Key in Exclude<Placeholders<(typeof errors)[Name]['msg']>, keyof FieldsOf<Name>>]: string | number
}

type DataArgument<Name extends ErrorName> = keyof ErrorData<Name> extends never ? [] : [data: ErrorData<Name>]

export interface ErrorBody {
  result: 'error'
  msg: string
  code: string
  [field: string]: unknown
}

/** An error whose text and fields are sent to the caller. Any other thrown value is a bug. */
export class ApiError<Name extends ErrorName = ErrorName> extends Error {
  readonly errorName: Name
  readonly status: number
  readonly body: ErrorBody

  constructor(name: Name, ...[data]: DataArgument<Name>) {
    const declaration: ErrorDeclaration = errors[name]
    const values = (data ?? {}) as Record<string, unknown>
    const msg = declaration.msg.replace(/\{([^}]+)\}/g, (_, key: string) => String(values[key]))
    super(msg)
    this.name = 'ApiError'
    this.errorName = name
    this.status = declaration.status
    const fields = Object.keys(declaration.fields ?? {}).map((field) => [field, values[field]])
    this.body = { result: 'error', msg, code: declaration.code, ...Object.fromEntries(fields) }
  }

  /** Recreates an error that was raised in another thread. */
  static fromBody(name: ErrorName, body: ErrorBody): ApiError {
    const error = new ApiError(name, body as never)
    return Object.assign(error, { message: body.msg, body })
  }

  /** Returns whether this error has the given name, like `error.is('INVALID_API_KEY')`. */
  is(name: ErrorName): boolean {
    return this.errorName === name
  }
}
