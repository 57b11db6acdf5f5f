import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAssetPath } from '@oxbow/assets'
import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/**
 * A file with SQL functions, and types for their arguments, beside the code that calls them. In the database
 * their names end in the file's version, a hash of its text: a changed file creates new functions, and nodes
 * of the previous release continue to call their own versions.
 */
export interface FunctionFile {
  /** Path relative to the folder of the sources. */
  path: string
  version: string
  /** Creates the functions and types under their versioned names. */
  sql: string
  /** Versioned names, in the order in which the file creates them. */
  functions: readonly string[]
  types: readonly string[]
  /** Parameters of the functions, and fields of the types, by the names that the file gives them. */
  members: ReadonlyMap<string, readonly Member[]>
}

interface Member {
  name: string
  type: string
}

const sources = findAssetPath('sql')

let ownFiles: readonly FunctionFile[] | undefined

/** Lists the function files of this release. They are read once, because a starting node needs them three times. */
export function listFunctionFiles(): readonly FunctionFile[] {
  ownFiles ??= readFunctionFiles(sources)
  return ownFiles
}

/** Reads all function files in a folder: the `.sql` files that are not migrations. */
function readFunctionFiles(folder: string): FunctionFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql') && !path.startsWith('migrations/'))
    .sort()
    .map((path) => parseFunctionFile(path, readFileSync(join(folder, path), 'utf8')))
}

/** Loads a function file by its path, relative to the folder of the sources. */
export const loadFunctionFile = (path: string): FunctionFile =>
  parseFunctionFile(path, readFileSync(join(sources, path), 'utf8'))

export function parseFunctionFile(path: string, text: string): FunctionFile {
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const members = new Map<string, readonly Member[]>()
  const created = { function: [] as string[], type: [] as string[] }
  for (const [, kind, name = '', list = ''] of text.matchAll(declaration)) {
    created[kind as 'function' | 'type'].push(name)
    members.set(name, readMembers(list))
  }
  const ownName = new RegExp(`\\b(${[...members.keys()].join('|')})\\b`, 'g')
  const rename = (name: string) => `${name}_${version}`
  return {
    path,
    version,
    sql: text.replace(ownName, rename),
    functions: created.function.map(rename),
    types: created.type.map(rename),
    members,
  }
}

/**
 * Matches the beginning of a function, or a type. Neither may have parentheses or semicolons inside its list.
 */
const declaration = /^create (function|type) (\w+)(?: as)?\s*\(([^();]*)\)/gm

const readMembers = (list: string): Member[] =>
  list
    .replace(/--.*$/gm, '')
    .split(',')
    .flatMap((member) => {
      const [name, type] = member.trim().split(/\s+/)
      return name && type ? [{ name, type }] : []
    })

/**
 * Returns a function that calls the SQL function `name` of the file, which must return one row. Arguments
 * have the names of the SQL function's parameters. If the file creates the type of a parameter, callers pass
 * the fields of the type instead of the parameter. Throws if an argument is missing or unknown.
 */
export function bindFunction<Arguments extends object, Row extends object>(
  { path, members, version }: FunctionFile,
  name: string,
): (db: Db, args: Arguments) => Promise<Row> {
  const names: string[] = []
  const add = (argument: string): string => `$${names.push(argument)}`
  const parameters = (members.get(name) ?? []).map((parameter) => {
    const fields = members.get(parameter.type)
    if (!fields) return add(parameter.name)
    return `row(${fields.map((field) => add(field.name)).join(', ')})::${parameter.type}_${version}`
  })
  const text = `select * from ${name}_${version}(${parameters.join(', ')}) as result`
  const knownNames = new Set(names)
  return async (db, args) => {
    const values = names.map((argument) => {
      const value = (args as Readonly<Record<string, unknown>>)[argument]
      if (value === undefined) throw new Error(`${name} of ${path} is called without ${argument}`)
      return value
    })
    for (const argument in args)
      if (!knownNames.has(argument)) throw new Error(`${name} of ${path} has no argument ${argument}`)
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values))
    return rows[0] as Row
  }
}
