import { writeCatalogues } from './write-catalogues.ts'

// Compiles messages/*.json to src/*.generated.ts. With --check, fails if a file is outdated.
writeCatalogues({
  messages: 'packages/texts/messages',
  compiled: 'packages/texts/src',
  translate: './translate.ts',
})
