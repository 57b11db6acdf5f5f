type Prefixed<Fields> = { [Name in keyof Fields & string as `realm_${Name}`]: Fields[Name] }

/** Returns the fields with their names on the wire, like `realm_description`. */
export function prefixWithRealm<Fields extends object>(fields: Fields): Prefixed<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => [`realm_${name}`, value])
  return Object.fromEntries(entries)
}
