import { createServer, type ViteDevServer } from 'vite'
import { viteOptions } from './vite-options.ts'

/** Paths that a node serves: the API, server-rendered pages, and uploaded files. */
const nodePaths =
  '^/(api|json|login|logout|accounts|join|register|invite|avatar|user_uploads|user_avatars|external_content|static|integrations|favicon.ico|assets/pages)'

/** Starts Vite with hot reload at a port. Forwards requests for `nodePaths` to a node. */
export async function startVite(port: number, nodeUrl: string): Promise<ViteDevServer> {
  const server = await createServer({
    ...viteOptions,
    server: { host: '127.0.0.1', port, strictPort: true, proxy: { [nodePaths]: { target: nodeUrl } } },
  })
  return server.listen()
}
