import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { immutableCaching } from '../../platform/http/send-file.ts'

/** Encodings in which files of the client are stored, the best first. */
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number] | 'identity'

/** The file `manifest.json` of a built client, which `apps/web/scripts/build-client.ts` writes. */
interface Manifest {
  /** Identifies the build. */
  build: string
  /**
   * The hash of each file and the sizes of its encodings in bytes, by path below the directory of
   * the build.
   */
  files: Record<string, { hash: string; size: number; br?: number; gzip?: number }>
}

export interface ClientFile {
  /** Path of the uncompressed file on disk. */
  file: string
  type: string
  hash: string
  cacheControl: string
  /** Size of each stored encoding in bytes. */
  sizes: Readonly<Partial<Record<Encoding, number>> & { identity: number }>
}

/** The files of one build of the web client. The files themselves stay on disk. */
export interface ClientRelease {
  build: string
  directory: string
  /** Files by URL path. */
  files: ReadonlyMap<string, ClientFile>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

const suffixes: Readonly<Record<Encoding, string>> = { identity: '', br: '.br', gzip: '.gz' }

/** Reads a build's list of files. Returns undefined if the directory contains no build. */
export function readClientRelease(directory: string): ClientRelease | undefined {
  const manifest = readManifest(directory)
  if (!manifest) return undefined
  const files = Object.entries(manifest.files).map(([path, { hash, size, br, gzip }]) => {
    const isImmutable = path.startsWith('assets/')
    return [
      `/${path}`,
      {
        file: join(directory, path),
        type: types[extname(path)] ?? 'application/octet-stream',
        hash,
        cacheControl: isImmutable ? immutableCaching : 'no-cache',
        sizes: { identity: size, ...(br && { br }), ...(gzip && { gzip }) },
      },
    ] as const
  })
  return { build: manifest.build, directory, files: new Map(files) }
}

function readManifest(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the path on disk of one encoding of a file. */
export const pathOf = ({ file }: ClientFile, encoding: Encoding): string => file + suffixes[encoding]

/** Chooses the smallest stored encoding that an `Accept-Encoding` header allows. */
export function chooseEncoding(accepted: string | undefined, { sizes }: ClientFile): Encoding {
  if (!accepted) return 'identity'
  const refused = /;\s*q\s*=\s*0(\.0*)?\s*$/i
  const allowed = new Set(
    accepted
      .split(',')
      .flatMap((coding) => (refused.test(coding) ? [] : [coding.split(';')[0]?.trim().toLowerCase()])),
  )
  return encodings.find((encoding) => sizes[encoding] !== undefined && allowed.has(encoding)) ?? 'identity'
}
