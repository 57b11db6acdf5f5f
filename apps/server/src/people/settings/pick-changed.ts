/** Returns the settings whose requested value differs from the current one. */
export function pickChanged<Values extends object>(
  values: { readonly [Name in keyof Values]?: Values[Name] | undefined },
  now: Values,
): Partial<Values> {
  const different = Object.entries(values).filter(
    ([name, value]) => value !== undefined && value !== now[name as keyof Values],
  )
  return Object.fromEntries(different) as Partial<Values>
}
