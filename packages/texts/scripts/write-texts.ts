import { writeCatalogues } from './write-catalogues.ts'

// Compiles messages/*.json to src/*.generated.ts; with --check, fails if a file is out of date.
writeCatalogues({
  messages: 'packages/texts/messages',
  compiled: 'packages/texts/src',
  translate: './translate.ts',
})
