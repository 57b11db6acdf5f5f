import { resolve } from 'node:path'
import { buildClient } from './build-client.ts'

// npm run build [-- DIRECTORY]   builds the web client, by default into apps/web/dist, from which every node serves it.
const directory = resolve(process.argv[2] ?? 'apps/web/dist')
await buildClient(directory)
process.stdout.write(`The web client is in ${directory}. Nodes serve it after their next start.\n`)
