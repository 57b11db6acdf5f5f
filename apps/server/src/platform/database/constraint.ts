/** Which constraint or unique index a statement broke, if that is why it failed. */
export function brokenConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code?.startsWith('23') ? constraint : undefined
}
