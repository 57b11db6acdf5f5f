/** Files and folders that code reads at run time, by their paths in the checkout and in the built package. */
export const assets = {
  /** The manifest with the version of Oxbow. */
  manifest: { source: 'package.json', built: 'package.json' },
  /** Migrations, the schema, and SQL functions beside the code that calls them. */
  sql: { source: 'apps/server/src/', built: 'dist/sql/' },
  static: { source: 'apps/server/static/', built: 'dist/static/' },
  webClient: { source: 'apps/web/dist/', built: 'dist/web/' },
  /** Pages for people who use the client, and their pictures. */
  help: { source: 'docs/using/', built: 'dist/help/' },
  helpPictures: { source: 'docs/images/using/', built: 'dist/help-pictures/' },
  styles: { source: 'packages/look/src/', built: 'dist/styles/' },
  integrations: { source: 'packages/integrations/src/services/', built: 'dist/integrations/' },
  integrationTemplate: { source: 'packages/integrations/template/', built: 'dist/integration-template/' },
} as const

/** Modules that a thread or process runs, or that code imports by path, with their paths in the checkout. */
export const startedModules = {
  'delivery-form-worker': 'apps/server/src/bots/webhooks/delivery-form-worker.ts',
  'diff-worker': 'apps/server/src/messages/edit/diff-worker.ts',
  'integration-writing': 'packages/integrations/src/writing.ts',
  'integration-zod': 'packages/integrations/src/zod.ts',
  'markdown-worker': 'apps/server/src/platform/markdown/markdown-worker.ts',
  'password-strength-worker': 'apps/server/src/sign-in/password-strength-worker.ts',
  'picture-process': 'apps/server/src/platform/images/picture-process.ts',
  'translation-worker': 'apps/server/src/bots/webhooks/translation-worker.ts',
} as const
