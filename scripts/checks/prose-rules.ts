export interface SourceFile {
  /** Path relative to the root of the repository, with slashes. */
  path: string
  text: string
}

export interface Fault {
  path: string
  /** Line number, counted from 1. */
  line: number
  problem: string
}

const minTitleWords = 4
const poorOpening = /^(Of|By|To|In|Those|The same|What)\b/

/** Finds words, doc comments and test titles that the writing rules of the repository forbid. */
export function findFaults(file: SourceFile): Fault[] {
  const isTypeScript = /\.tsx?$/.test(file.path)
  return [
    ...findBannedWords(file),
    ...(isTypeScript ? findPoorComments(file) : []),
    ...(/\.test\.tsx?$/.test(file.path) ? findShortTitles(file) : []),
  ]
}

function findBannedWords(file: SourceFile): Fault[] {
  // The word is assembled, so that this file does not contain it.
  const banned = new RegExp(`\\bwho${'ever'}\\b`, 'gi')
  return faultsAt(file, banned, () => `"who${'ever'}": name the person or the thing`)
}

function findPoorComments(file: SourceFile): Fault[] {
  return faultsAt(file, /\/\*\*\s*(?:\*\s+)?([^\n*][^\n]*)/g, ([, opening = '']) => {
    const word = poorOpening.exec(opening)?.[0]
    return word && `the doc comment begins with "${word}": begin with a verb or with the noun described`
  })
}

function findShortTitles(file: SourceFile): Fault[] {
  return faultsAt(file, /^\s*(?:void )?(?:test|it)(?:\.\w+)?\(\s*(['"`])(.*?)\1,/gm, ([, , title = '']) => {
    const words = title.split(/\s+/).filter(Boolean).length
    return words < minTitleWords && `the test title "${title}" has fewer than ${minTitleWords} words`
  })
}

function faultsAt(
  { path, text }: SourceFile,
  pattern: RegExp,
  explain: (match: RegExpExecArray) => string | false | undefined,
): Fault[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const problem = explain(match)
    const position = match.index + match[0].length - match[0].trimStart().length
    return problem ? [{ path, line: text.slice(0, position).split('\n').length, problem }] : []
  })
}

type Json = Record<string, unknown>

/** Lists the parameters and response fields of an OpenAPI document that have no description, as `operation.field`. */
export function findUndescribed(document: Json): string[] {
  const paths = document.paths as Record<string, Record<string, Json>>
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => {
      const name = String(operation.operationId)
      const parameters = (operation.parameters ?? []) as Json[]
      return [
        ...parameters
          .filter(({ description }) => !description)
          .map((parameter) => `${name}.${parameter.name}`),
        ...parameters.flatMap((parameter) => undescribedFields(`${name}.${parameter.name}`, parameter)),
        ...undescribedFields(name, operation.requestBody),
        ...undescribedFields(name, (operation.responses as Json)['200']),
      ]
    })
}

function undescribedFields(name: string, node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap((item) => undescribedFields(name, item))
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'properties' ? undescribedProperties(name, value as Json) : undescribedFields(name, value),
  )
}

function undescribedProperties(name: string, properties: Json): string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const field = value as Json
    // A reference needs no description, because its target has one.
    const isDescribed = Boolean(field.description) || '$ref' in field
    return [...(isDescribed ? [] : [`${name}.${key}`]), ...undescribedFields(`${name}.${key}`, field)]
  })
}
