export interface AllowedPattern {
  path: string
  /** The regular expression as it is written. */
  pattern: string
  /** The limit of the text, or its author. */
  why: string
}

const ownGuides = 'reads the guides and help pages that are part of the program'
const ownErrors = 'reads the texts of errors that the contract declares'
const ownStyles = 'reads style sheets that are part of the program'
const setting = 'reads a setting of the operator'

/** Slow regular expressions that cannot do harm. A stranger or member must not be able to choose a long text for them. */
export const allowedPatterns: readonly AllowedPattern[] = [
  {
    path: 'apps/cli/src/try/start-postgres.ts',
    pattern: '/lock file .* already exists/',
    why: 'reads the log of the PostgreSQL that `oxbow try` starts',
  },
  {
    path: 'apps/server/src/platform/config/database-url.ts',
    pattern: String.raw`/^\w+:\/\/([^/?#]*)[^?#]*(?:\?(.*))?$/s`,
    why: setting,
  },
  {
    path: 'apps/server/src/platform/config/show-config.ts',
    pattern: '/([?&][^=&]*(?:pass|key|secret|token)[^=&]*=)[^&]*/gi',
    why: setting,
  },
  {
    path: 'apps/server/src/platform/http/bind.ts',
    pattern: String.raw`/:(\w+)(\([^)]*\))?/g`,
    why: 'reads the paths of our endpoints',
  },
  {
    path: 'apps/server/src/platform/observe/tracing/traced-client.ts',
    pattern: String.raw`/\b(?:(?<!\bextract\s*\(\s*\w+\s+|\bdistinct\s+)from|into|update|call)\s+(?:only\s+)?"?(\w+)"?/i`,
    why: 'reads our SQL, whose values are parameters',
  },
  {
    path: 'apps/server/src/pages/reference/help/render-help.ts',
    pattern: String.raw`/<(h[2-6])>(.*?)<\/\1>/g`,
    why: ownGuides,
  },
  {
    path: 'apps/server/src/pages/reference/help/render-help.ts',
    pattern: String.raw`/<[^>]+>|&\w+;/g`,
    why: ownGuides,
  },
  {
    path: 'apps/server/src/pages/reference/render-document.ts',
    pattern: String.raw`/(?<=^ *(?![#|]).*\S)\n *(?=[\p{L}(${'`'}"])/gmu`,
    why: ownGuides,
  },
  {
    path: 'apps/server/src/pages/reference/render-document.ts',
    pattern: String.raw`/^( *)(${'`'}{3,}).*\n[\s\S]*?\n\1\2 *$/gm`,
    why: ownGuides,
  },
  {
    path: 'apps/server/src/joining/sessions/describe-program.ts',
    pattern: String.raw`/\bVersion\/.*\bSafari\//`,
    why: 'reads a User-Agent of at most 300 characters',
  },
  {
    path: 'apps/server/src/bots/webhooks/match-pattern.ts',
    pattern: String.raw`/\[!?\][^\]]*\]|\[!?[^\]]+\]|[\s\S]/gu`,
    why: 'reads a text that ends with "]", so that each "[" finds an end',
  },
  {
    path: 'apps/web/src/composer/triggers.ts',
    pattern: String.raw`/(?:^|(?<=[\s([{"'“‘«]))<time:?([^>\n]*)$/u`,
    why: 'reads at most 80 characters before the caret',
  },
  { path: 'packages/contract/src/api-error.ts', pattern: String.raw`/\{([^}]+)\}/g`, why: ownErrors },
  { path: 'packages/look/src/index.ts', pattern: String.raw`/\/\*[\s\S]*?\*\//g`, why: ownStyles },
  {
    path: 'packages/look/src/index.ts',
    pattern: String.raw`/:root\[data-contrast="more"\] \{([^}]*)\}/g`,
    why: ownStyles,
  },
  { path: 'packages/sdk/src/api-errors.ts', pattern: String.raw`/\{[^}]+\}/`, why: ownErrors },
]
