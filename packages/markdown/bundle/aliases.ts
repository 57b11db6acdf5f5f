/**
 * Modules that markdown-it loads for rules which this dialect does not use: its autolinks, host
 * names in other scripts and the table of named entities. A browser bundle replaces them by
 * `nothing.ts`.
 */
const nothing = new URL('nothing.ts', import.meta.url).pathname

export const browserAliases: { [module: string]: string } = {
  entities: nothing,
  'linkify-it': nothing,
  'punycode.js': nothing,
}
