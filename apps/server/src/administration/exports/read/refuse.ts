import { OperatorError } from '../../../platform/operator-error.ts'

/** Returns an error that says which file of an export is damaged or missing, so that it cannot be imported. */
export function refusal(problem: string): OperatorError {
  return new OperatorError(
    `The export is damaged or was changed: ${problem}. Nothing was imported. Copy it again, or export again.`,
  )
}

/** Returns an error about records in files that have the right checksums, so that another copy would not help. */
export function contentRefusal(problem: string): OperatorError {
  return new OperatorError(
    `The export cannot be imported: ${problem}. Nothing was imported. The checksums are right, so another copy would not help. Correct it on the exporting server, or export again with the current release of Oxbow.`,
  )
}

/** Returns an error about one record, which it names by its ids. */
export function recordRefusal(
  type: string,
  record: Readonly<Record<string, unknown>>,
  problem: string,
): OperatorError {
  const ids = Object.entries(record).filter(
    ([name, value]) => /(?:^|_)id$/.test(name) && typeof value === 'number',
  )
  const own = ids.filter(([name]) => name === 'id')
  const names = (own.length > 0 ? own : ids).map(([name, value]) => `${name} ${value}`).join(', ')
  return contentRefusal(`the record of the type ${type}${names && ` with ${names}`}: ${problem}`)
}
