/**
 * Browsers by a product name in their User-Agent. The order matters: a User-Agent may also contain
 * the product names of later entries.
 */
const browsers: readonly [product: RegExp, name: string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: readonly [part: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (patterns: readonly [RegExp, string][], text: string): string | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1]

const maxNameLength = 40

/**
 * Returns a readable description of a User-Agent, such as `Firefox on Linux`. For unknown programs
 * it is the first word of the header.
 */
export function describeProgram(userAgent: string): string {
  const product = find(browsers, userAgent) ?? /^[\w.-]+/.exec(userAgent)?.[0].slice(0, maxNameLength)
  const system = find(systems, userAgent)
  if (product === undefined || product === 'Mozilla') return system ?? 'Unknown program'
  return system === undefined ? product : `${product} on ${system}`
}
