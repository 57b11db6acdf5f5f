import { z } from 'zod'
import { field } from '../kernel/field.ts'
import { maxCharacters } from '../kernel/schemas.ts'

const maxOperandLength = 10_000

/** Returns the schema of a term with the given schema for its operand. */
export const buildTermSchema = <Operand extends z.ZodType>(operand: Operand) =>
  z.object({
    operator: field(
      z.string(),
      'What the condition is about, such as `stream`, `topic`, `sender` or `search`.',
    ),
    operand: field(operand, 'The value to compare with: a text, an id, or a list of user ids.'),
    negated: field(z.boolean().default(false), 'Whether messages must not meet the condition.'),
  })

const text = maxCharacters(maxOperandLength)
const withText = buildTermSchema(text)
const withId = buildTermSchema(z.int({ error: '{V} is not a string or integer' }))
const withIds = buildTermSchema(
  z
    .array(z.int(), { error: '{V} is not a string or an integer list' })
    .refine((list) => list.length <= maxOperandLength, {
      error: `{V} has too many items (limit: ${maxOperandLength})`,
    }),
)
const withNonBlankText = buildTermSchema(
  text.refine((operand) => operand.trim() !== '', { error: '{V} cannot be blank.' }),
)

type TermSchema = typeof withText | typeof withId | typeof withIds

/** Declares which operands an operator accepts. The server defines what the operator matches. */
export interface NarrowOperatorDeclaration {
  /** Returns the schema for a term with this operand, so that the error text names the expected type. */
  termSchema(operand: unknown): TermSchema
  /** The operator's name at later feature levels of the protocol. */
  readonly laterName?: string
  /** Operand names of later feature levels, with their names at this level. */
  readonly laterOperands?: Readonly<Record<string, string>>
  /** Converts an integer operand. `name` is the operator as the client wrote it. */
  convertInteger?(operand: number, name: string): unknown
}

const textOnly = () => withText
const textOrId = (operand: unknown) => (typeof operand === 'string' ? withText : withId)
const textOrIds = (operand: unknown) => (typeof operand === 'string' ? withText : withIds)

/** All operators of narrows. The server implements each under the same name. */
export const narrowOperators = {
  stream: { termSchema: textOrId, laterName: 'channel' },
  streams: { termSchema: textOnly },
  topic: { termSchema: textOnly },
  sender: { termSchema: textOrId },
  'pm-with': {
    termSchema: textOrIds,
    laterName: 'dm',
    convertInteger: (operand, name) => (name === 'dm' ? [operand] : operand),
  },
  'group-pm-with': { termSchema: textOrId },
  is: { termSchema: textOnly, laterOperands: { dm: 'private' } },
  has: { termSchema: textOnly },
  in: { termSchema: textOnly },
  near: { termSchema: textOnly, convertInteger: String },
  id: { termSchema: textOnly, convertInteger: String },
  search: { termSchema: () => withNonBlankText },
} as const satisfies Record<string, NarrowOperatorDeclaration>

export type NarrowOperatorName = keyof typeof narrowOperators

const declarations: Readonly<Record<string, NarrowOperatorDeclaration>> = narrowOperators

const namesByLaterName = new Map(
  Object.entries(declarations).flatMap(([name, { laterName }]) => (laterName ? [[laterName, name]] : [])),
)

export function isNarrowOperator(name: string): name is NarrowOperatorName {
  return Object.hasOwn(narrowOperators, name)
}

/**
 * Returns the schema of a term. Unknown operators accept text here; the server refuses them with
 * their name.
 */
export function findTermSchema(operator: unknown, operand: unknown): TermSchema {
  return findDeclaration(operator)?.termSchema(operand) ?? withText
}

/** Replaces names from later feature levels, so that no other code has to handle them. */
export function resolveLaterNames<Operand>(name: string, operand: Operand) {
  const operator = namesByLaterName.get(name) ?? name
  const operands = findDeclaration(operator)?.laterOperands ?? {}
  const isLater = typeof operand === 'string' && Object.hasOwn(operands, operand)
  return { operator, operand: isLater ? (operands[operand] as string) : operand }
}

/**
 * Converts an id to the text or list that the operator expects. `name` is the operator as the
 * client wrote it.
 */
export function convertOperand(name: string, operand: unknown): unknown {
  if (!Number.isInteger(operand)) return operand
  const { operator } = resolveLaterNames(name, operand)
  return findDeclaration(operator)?.convertInteger?.(operand as number, name) ?? operand
}

function findDeclaration(operator: unknown): NarrowOperatorDeclaration | undefined {
  return typeof operator === 'string' && isNarrowOperator(operator) ? declarations[operator] : undefined
}
