import { findAssetPath } from '@oxbow/assets'
import type { App } from '../../platform/app.ts'
import { perNode } from '../../platform/per-node.ts'
import { clientHeaders } from './client-headers.ts'
import { type ClientFile, type ClientRelease, readClientRelease } from './client-release.ts'

/** The directory into which `npm run build` writes the client. */
const builtDirectory = findAssetPath('webClient')

/** The releases of the web client that a node serves. */
export interface WebClient {
  /** Undefined if the client was not built. */
  readonly current: ClientRelease | undefined
  /** Releases that were replaced within the last day. Open tabs may still load their files. */
  previous: readonly ClientRelease[]
  /** Headers of the document. */
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the client that a node serves. Its list of files is read once, when the node starts. */
export const getWebClient = perNode<WebClient>({
  name: 'files of the web client',
  countEntries: ({ current, previous }) =>
    [current, ...previous].reduce((sum, release) => sum + (release?.files.size ?? 0), 0),
  create: ({ config }: App) => ({
    current: readClientRelease(config.web_dir ?? builtDirectory),
    previous: [],
    headers: clientHeaders(config),
  }),
})

/** Finds an asset by its path, in the current release and in releases replaced within the last day. */
export function findAsset({ current, previous }: WebClient, path: string): ClientFile | undefined {
  const found = current?.files.get(path)
  if (found) return found
  for (const { files } of previous) if (files.has(path)) return files.get(path)
  return undefined
}
