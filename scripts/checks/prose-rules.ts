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
