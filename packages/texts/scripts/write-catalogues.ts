import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessages, countMissing, type LaterMessages, type Source } from './compile.ts'

export { argumentsOf } from './compile.ts'

/** Folders of a catalogue, relative to the root of the repository. */
export interface CatalogueFolders {
  /** The folder with one file per language, like `en.json`. */
  messages: string
  compiled: string
  /** The module with `CatalogueOf`, as the generated files import it. */
  translate: string
  /** Languages that may still lack messages. The number of missing messages is printed. */
  incomplete?: readonly string[]
  /** English messages that are compiled to `en-later.generated.ts`. */
  later?: LaterMessages
}

const root = join(import.meta.dirname, '..', '..', '..')

/** Compiles all languages of a catalogue. With `--check`, fails if a generated file is outdated. */
export function writeCatalogues(folders: CatalogueFolders): void {
  const { messages, compiled, incomplete = [] } = folders
  const sources = Object.fromEntries(
    readdirSync(join(root, messages)).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(root, messages, file), 'utf8')) as Source,
    ]),
  )
  for (const language of incomplete) {
    const missing = countMissing(sources.en ?? {}, sources[language] ?? {})
    process.stdout.write(
      `${messages}/${language}.json lacks ${missing} messages, which are shown in English\n`,
    )
  }
  for (const [name, text] of Object.entries(compileMessages(sources, folders))) {
    const file = join(root, compiled, name)
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      process.stderr.write(`${compiled}/${name} is out of date with ${messages}. Run: npm run texts\n`)
      process.exitCode = 1
    }
  }
}
