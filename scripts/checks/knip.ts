import type { KnipConfig } from 'knip'
import { startedModules } from '../../packages/assets/src/table.ts'

/** Lists the modules of a package that code starts or imports by the names of `packages/assets`. */
const startedIn = (workspace: string): string[] =>
  Object.values(startedModules).flatMap((path) =>
    path.startsWith(`${workspace}/`) ? [path.slice(workspace.length + 1)] : [],
  )

const tests = '{src,test}/**/*.test.ts'

/**
 * Where the search for dead code begins: files that are started and not imported. What no other file
 * reaches or uses is reported. A private package has no users elsewhere, so the exports of its entries
 * must be used here too.
 */
const knipConfig: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'scripts/*.ts',
        'scripts/deliberate-faults/main.ts',
        'scripts/generate/write-{documents,schema}.ts',
        'scripts/checks/{check-patterns,tidy}.ts',
        'scripts/**/*.test.ts',
        'scripts/bench/{main,draw-plots}.ts',
        'scripts/load/{main,generator}.ts',
        'scripts/release/release-notes.ts',
        // Programs that benchmarks start as processes, and clients that tests copy from.
        'scripts/bench/bare-fastify.ts',
        'scripts/bench/probe/probe.ts',
        'scripts/bench/**/{bare-polls,polling-process,serve-files,bare-sender-process,count-statements}.ts',
        'scripts/clients/*.ts',
      ],
      project: ['scripts/**/*.ts'],
      includeEntryExports: true,
    },
    'apps/cli': {
      entry: ['bin/*.js', 'src/main.ts', tests, 'test/{command-host,supervised-program}.ts'],
      project: ['{bin,src,test}/**/*.{js,ts}'],
    },
    'apps/server': {
      // Tests read files of these packages by their path.
      ignoreDependencies: ['axe-core', 'zulip-js'],
      entry: [tests, ...startedIn('apps/server'), 'test/background/run-in-process.ts'],
      project: ['{src,test}/**/*.ts'],
    },
    'apps/web': {
      // Imported by a style sheet; read by their path.
      ignoreDependencies: ['@oxbow/look', 'axe-core', 'lucide-static'],
      entry: ['src/main.ts', 'src/styleguide/main.ts', 'scripts/*.ts', tests],
      project: ['{scripts,src,test}/**/*.{ts,tsx}'],
      includeEntryExports: true,
    },
    'packages/contract': { entry: [tests], project: ['src/**/*.ts'] },
    'packages/sdk': { entry: [tests], project: ['{src,test}/**/*.ts'] },
    'packages/integrations': {
      // A service is found by the name of its folder.
      entry: [tests, 'src/services/*/index.ts', 'src/zod.ts'],
      project: ['{src,test}/**/*.ts'],
    },
    'packages/testkit': {
      entry: [
        '{runner,src}/**/*.test.ts',
        'runner/{main,coverage,run-shard,without-async-hooks}.ts',
        'src/inject-faults.ts',
      ],
      project: ['{runner,src}/**/*.ts'],
      includeEntryExports: true,
    },
    'packages/markdown': {
      entry: [tests, 'scripts/*.ts'],
      project: ['{bundle,scripts,src,test}/**/*.ts'],
      includeEntryExports: true,
    },
    'packages/texts': {
      entry: [tests, 'scripts/*.ts'],
      project: ['{scripts,src}/**/*.ts'],
      includeEntryExports: true,
    },
    'packages/reach': { entry: [tests], project: ['{src,test}/**/*.ts'], includeEntryExports: true },
    'packages/look': { entry: [tests], project: ['src/**/*.ts'], includeEntryExports: true },
    'packages/imports': {
      entry: [tests],
      project: ['{src,test}/**/*.ts'],
      includeEntryExports: true,
    },
    'packages/search': {
      entry: [tests],
      project: ['{relevance,src,test}/**/*.ts'],
      includeEntryExports: true,
    },
    'packages/assets': { project: ['src/**/*.ts'], includeEntryExports: true },
  },
  exclude: [
    // Programs come from Debian; docs/how-to/run-the-tests.md lists their packages.
    'binaries',
    // Two constants with separate meanings may have the same value.
    'duplicates',
  ],
}

// biome-ignore lint/style/noDefaultExport: knip reads the default export.
export default knipConfig
