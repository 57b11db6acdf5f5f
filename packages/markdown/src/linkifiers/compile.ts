import { listRequiredCharacters, PatternError, type PatternNode, parsePattern } from './pattern.ts'
import { assemble, listBeginningSets, type Program } from './program.ts'

export type CompiledLinkifier = {
  readonly pattern: string
  readonly urlFormat: string
  readonly program: Program
  /**
   * For each of the first characters of a match, the ASCII characters that it may be. Ends at the
   * first choice in the pattern.
   */
  readonly beginning: readonly Uint8Array[]
  /** Characters that every match contains. */
  readonly required: readonly string[]
}

export type LinkifierErrors = { pattern?: string[]; url_format_string?: string[] }
export type LinkifierResult = { linkifier: CompiledLinkifier } | { errors: LinkifierErrors }

const blank = 'This field cannot be blank.'
const invalidPattern = 'Invalid filter pattern.  Valid characters are [ a-zA-Z_#=/:+!-].'
const invalidUrl = 'Enter a valid URL.'
const invalidUrlFormat = 'Invalid URL format string.'

const maxPatternCharacters = 500
const prefixOfGroup = /(?:[\p{L}\p{N}_\-#=/: ]*|[+!])(?=\(\?P<)/uy
const urlShape = /^https?:\/\/(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?::\d{1,5})?(?:[/?#]|$)/
const formatShape = /^(?:[./:#_?=&;A-Za-z0-9-]*%\([A-Za-z0-9_-]+\)s)+[./:#_?=&;A-Za-z0-9-]*$/
const placeholder = /%\(([A-Za-z0-9_-]+)\)s/g

/**
 * Validates and compiles a linkifier that an administrator defined. Every accepted pattern matches
 * in linear time.
 */
export function compileLinkifier(patternText: string, urlFormatText: string): LinkifierResult {
  const pattern = patternText.trim()
  const urlFormat = urlFormatText.trim()
  const node = pattern === '' ? undefined : readPattern(pattern)
  const program = node && compileNode(node)
  const patternErrors = pattern === '' ? [blank] : program ? [] : [invalidPattern]
  const urlErrors = checkUrlFormat(urlFormat, program)
  if (!node || !program || patternErrors.length > 0 || urlErrors.length > 0) {
    return {
      errors: {
        ...(patternErrors.length > 0 ? { pattern: patternErrors } : {}),
        ...(urlErrors.length > 0 ? { url_format_string: urlErrors } : {}),
      },
    }
  }
  return {
    linkifier: {
      pattern,
      urlFormat,
      program,
      beginning: listBeginningSets(program),
      required: [...listRequiredCharacters(node)],
    },
  }
}

function readPattern(pattern: string): PatternNode | undefined {
  if (pattern.length > maxPatternCharacters || !hasGroupsOnly(pattern)) return undefined
  return unlessPatternError(() => parsePattern(pattern))
}

const compileNode = (node: PatternNode): Program | undefined => unlessPatternError(() => assemble(node))

function unlessPatternError<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof PatternError) return undefined
    throw error
  }
}

/**
 * Returns whether the pattern consists of named groups, each with an optional literal prefix, and
 * nothing after the last.
 */
function hasGroupsOnly(pattern: string): boolean {
  let at = 0
  while (at < pattern.length) {
    prefixOfGroup.lastIndex = at
    const prefix = prefixOfGroup.exec(pattern)
    if (!prefix) return false
    at = findGroupEnd(pattern, at + prefix[0].length)
    if (at === -1) return false
  }
  return true
}

function findGroupEnd(pattern: string, start: number): number {
  let depth = 0
  let inClass = false
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return -1
}

function checkUrlFormat(urlFormat: string, program: Program | undefined): string[] {
  if (urlFormat === '') return [blank]
  const errors: string[] = []
  if (!urlShape.test(urlFormat.replace(placeholder, 'x'))) errors.push(invalidUrl)
  const groups = Array.from(urlFormat.matchAll(placeholder), ([, name = '']) => name)
  const areGroupsKnown = program ? groups.every((name) => program.names.includes(name)) : true
  if (!formatShape.test(urlFormat) || !areGroupsKnown || !/^https?:\/\/[A-Za-z0-9]/.test(urlFormat))
    errors.push(invalidUrlFormat)
  return errors
}
