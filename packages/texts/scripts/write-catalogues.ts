import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessages, countMissing, type Source } from './compile.ts'

export { argumentsOf } from './compile.ts'

/** Folders of a catalogue, relative to the root of the repository. */
export interface CatalogueFolders {
  /** Contains one file per language, `en.json`. */
  messages: string
  compiled: string
  /** Module with `CatalogueOf`, as the compiled files import it. */
  translate: string
  /** Languages that need not have all messages yet; what they lack is counted. */
  begun?: readonly string[]
}

const root = join(import.meta.dirname, '..', '..', '..')

/** Compiles all languages of a catalogue; with `--check`, fails if a compiled file is out of date. */
export function writeCatalogues({ messages, compiled, translate, begun = [] }: CatalogueFolders): void {
  const sources = Object.fromEntries(
    readdirSync(join(root, messages)).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(root, messages, file), 'utf8')) as Source,
    ]),
  )
  for (const language of begun) {
    const missing = countMissing(sources.en ?? {}, sources[language] ?? {})
    process.stdout.write(
      `${messages}/${language}.json lacks ${missing} messages, which are shown in English\n`,
    )
  }
  for (const [name, text] of Object.entries(compileMessages(sources, { messages, translate, begun }))) {
    const file = join(root, compiled, name)
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      process.stderr.write(`${compiled}/${name} is out of date with ${messages}. Run: npm run texts\n`)
      process.exitCode = 1
    }
  }
}
