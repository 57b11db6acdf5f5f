import { writeCatalogues } from '@oxbow/texts/compile'

// Compiles messages/*.json to src/text/*.generated.ts; with --check, fails if a file is out of date.
writeCatalogues({
  messages: 'apps/web/messages',
  compiled: 'apps/web/src/text',
  translate: '@oxbow/texts/translate',
  incomplete: ['ar'],
})
