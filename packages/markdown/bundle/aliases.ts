/**
 * Modules that markdown-it loads for rules this dialect does not use: its own autolinks, host names
 * in other scripts and the table of named entities. A browser bundle maps them to nothing.
 */
const nothing = new URL('nothing.ts', import.meta.url).pathname

export const browserAliases: { [module: string]: string } = {
  entities: nothing,
  'linkify-it': nothing,
  'punycode.js': nothing,
}
