/**
 * Returns the name of the constraint or unique index that the statement violated; undefined for
 * other errors.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code?.startsWith('23') ? constraint : undefined
}

/**
 * Returns whether the statement violated a foreign key: it deletes a row to which others refer, or refers to
 * a row that does not exist.
 */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23503'
}
