/**
 * Returns the case with that name. Names come from payloads, so inherited properties such as
 * `toString` are not cases.
 */
export function choose<Case>(name: string, cases: Readonly<Record<string, Case>>): Case | undefined {
  return Object.hasOwn(cases, name) ? cases[name] : undefined
}
