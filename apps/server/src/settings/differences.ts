/** What was given and is not so yet. */
export function differences<Values extends object>(
  given: { readonly [Name in keyof Values]?: Values[Name] | undefined },
  now: Values,
): Partial<Values> {
  const different = Object.entries(given).filter(
    ([name, value]) => value !== undefined && value !== now[name as keyof Values],
  )
  return Object.fromEntries(different) as Partial<Values>
}
