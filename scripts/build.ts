import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildClient } from '../apps/web/scripts/build-client.ts'
import { buildLibraries, libraries } from './build/build-libraries.ts'
import { buildOxbow } from './build/build-oxbow.ts'
import { buildTry } from './build/build-try.ts'

// npm run build [-- --web] builds the web client into apps/web/dist, from which nodes of this
// checkout serve it, and the packages to publish into dist/. With --web, builds only the client.
const { values: options } = parseArgs({ options: { web: { type: 'boolean' } } })

const webFolder = resolve('apps/web/dist')
await buildClient(webFolder)
process.stdout.write(`The web client is in ${webFolder}. Nodes serve it after their next start.\n`)
if (!options.web) {
  await buildOxbow('dist/oxbow', webFolder)
  buildTry('dist/oxbow-try')
  await buildLibraries('dist')
  process.stdout.write(`The packages are in dist/: oxbow, oxbow-try, ${libraries.join(', ')}.\n`)
}
