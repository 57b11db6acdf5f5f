import { z } from 'zod'
import { bold, bullets, id, line, optional, replaceUnderscores, text } from '../../writing.ts'

const amount = z.union([id, z.number().transform(String)])

export const condition = z.object({
  metric: text,
  status: text,
  operator: optional(text),
  value: optional(amount),
  errorThreshold: optional(amount),
})
type Condition = z.output<typeof condition>

/** Lists the failed conditions only. */
export function describeConditions(conditions: readonly Condition[]): string {
  return bullets(conditions.filter(({ status }) => status !== 'OK' && status !== 'NO_VALUE').map(describe))
}

function describe(condition: Condition): string {
  const { metric, status, value } = condition
  const facts = [value && line(value), describeThreshold(condition)].filter(Boolean).join(', ')
  return `${line(replaceUnderscores(metric))}: ${bold(status)}${facts && ` (${facts})`}`
}

/** Maps SonarQube's operators, which describe a failure, to the words for the required value. */
const requirements = new Map([
  ['GREATER_THAN', 'at most'],
  ['LESS_THAN', 'at least'],
  ['EQUALS', 'other than'],
  ['NOT_EQUALS', 'exactly'],
])

function describeThreshold({ operator = '', errorThreshold }: Condition): string | undefined {
  const requirement = requirements.get(operator)
  return requirement && errorThreshold && `should be ${requirement} ${line(errorThreshold)}`
}
