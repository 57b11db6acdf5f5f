import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))

/** Oxbow's own version, as opposed to the protocol's. */
export const serverVersion: string = manifest.version
