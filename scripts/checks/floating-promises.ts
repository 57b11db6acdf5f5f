import { importsByName, resolve, type SourceFile } from './import-arrows.ts'

/**
 * Lists statements that call an asynchronous function and ignore its promise, as `path:line: text`.
 * Checks only the text, which takes half a second: a call is found if its function is declared
 * asynchronous in the same file or in the file it is imported from, or if it is a method of the
 * same file. Queries are recognized by their first words. Biome's rule finds more, but takes forty
 * seconds, so only the long lane runs it.
 */
export function findFloatingPromises(files: SourceFile[]): string[] {
  const declared = new Map(files.map(({ path, text }) => [path, listAsyncNames(text)]))
  return files.flatMap(({ path, text }) => {
    const asyncFunctions = new Set(declared.get(path))
    for (const [name, { target, original }] of importsByName(text)) {
      if (target.startsWith('.') && declared.get(resolve(path, target))?.has(original))
        asyncFunctions.add(name)
    }
    const lines = text.split('\n')
    return lines.flatMap((line, index) =>
      isFloating(lines, index, asyncFunctions)
        ? [`${path}:${index + 1}: nothing awaits "${line.trim()}"`]
        : [],
    )
  })
}

const declarations = [
  /\basync function (\w+)/g,
  /\bfunction (\w+)(?:<[^()]*>)?\([^{}]*\): Promise</g,
  /\bconst (\w+)(?:: [^=\n]+)? = async\b/g,
  /\bconst (\w+) = (?:<[^()]*>)?\([^{}=]*\): Promise</g,
]
const methods = [
  /^ {2}(?:static |override )*async (#?\w+)[<(]/gm,
  /^ {2}(?:static |override )*(#?\w+)(?:<[^()]*>)?\([^{}\n]*\): Promise</gm,
]

/**
 * Returns the names of asynchronous functions, and those of asynchronous methods with the prefix
 * `this.`.
 */
function listAsyncNames(text: string): Set<string> {
  const find = (patterns: RegExp[]) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  return new Set([...find(declarations), ...find(methods).map((name) => `this.${name}`)])
}

const call = /^\s*(?:(?:if|for|while) \(.*\) |else )?((?:this\.)?#?\w+)(?:<[^()]*>)?\(/
/** Matches statements that run a query, or start or stop the event system, by their beginnings. */
const query = /^\s*(?:sql[`<]|(?:app\.|this\.#)?(?:db|tx)(?:\.|$)|app\.events\.(?:start|stop)\b)/
/** Matches `catch`, and `then` with a second function: on one line, or on a line with the indent of the first. */
const handlesErrors = /\.catch\(|\.then\([\s\S]*, \w+\)\s*$|\.then\(\n( +)\S[\s\S]*\n\1(?:\w|\([^()]*\) =>)/
/** Matches ends of lines after which an expression continues. */
const continues = /(?:[=([,?:+`>]|&&|\|\||\breturn|\bawait)$/

function isFloating(lines: readonly string[], index: number, asyncFunctions: ReadonlySet<string>): boolean {
  const line = lines[index] ?? ''
  const name = call.exec(line)?.[1]
  const isCall = name !== undefined && asyncFunctions.has(name) && !/\): Promise<.*>$/.test(line)
  if (!isCall && !query.test(line)) return false
  const before = lines.slice(0, index).findLast((line) => !/^\s*(?:\/\/.*)?$/.test(line)) ?? ''
  if (continues.test(before.trimEnd())) return false
  return !handlesErrors.test(readStatement(lines, index))
}

/**
 * Returns the statement that begins at a line: the line, and the lines below it that are indented
 * further or close a bracket.
 */
function readStatement(lines: readonly string[], index: number): string {
  const indentOf = (line: string) => line.length - line.trimStart().length
  const indent = indentOf(lines[index] ?? '')
  const end = lines.findIndex(
    (line, at) => at > index && indentOf(line) <= indent && !/^\s*[)}\]]/.test(line),
  )
  return lines.slice(index, end === -1 ? undefined : end).join('\n')
}
