/** The case of that name. Names come from outside: `toString` must be none. */
export function choose<Case>(name: string, cases: Readonly<Record<string, Case>>): Case | undefined {
  return Object.hasOwn(cases, name) ? cases[name] : undefined
}
