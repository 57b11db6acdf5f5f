/** The migration that creates the whole schema, and the numbered migrations that it replaces. */
export const baseline = {
  name: '0058_baseline',
  /** The newest replaced migration. A database that has it has the schema of the baseline. */
  lastReplaced: '0057_clear_hidden_default_streams',
  /** The newest commit with the replaced migrations. Older databases and backups are upgraded with it first. */
  lastCommit: '2073454c728b19149a411b30f64ff7707664d096',
} as const

/**
 * Returns whether the baseline replaces this migration. The rows of replaced migrations stay in
 * `schema_migration`, because a node of the previous release would apply these migrations again when it starts. A
 * migration of the next release may delete them, if it also demands the baseline in `schema_requirement`.
 */
export const isReplaced = (name: string): boolean => name < baseline.name

/** Returns whether a database or backup with these migrations is older than the schema of the baseline. */
export const isOlderThanBaseline = (names: readonly string[]): boolean =>
  names.some(isReplaced) && !names.includes(baseline.name) && !names.includes(baseline.lastReplaced)
