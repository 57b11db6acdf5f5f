import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findStartedModule } from '@oxbow/assets'

/**
 * Returns the folder with the operator's own integrations. It is read from the environment, because
 * the server's threads do not get the configuration.
 */
export function findOwnFolder(): URL | undefined {
  const path = process.env.OXBOW_INTEGRATIONS_DIR
  return path ? pathToFileURL(`${resolve(path)}/`) : undefined
}

const hookedFolders = new Set<string>()

/** Lets integrations in any folder import this server's `@oxbow/integrations/writing` and `zod`. */
export function allowImports(folder: URL): void {
  if (hookedFolders.has(folder.href)) return
  hookedFolders.add(folder.href)
  const modules: Record<string, string> = {
    '@oxbow/integrations/writing': findStartedModule('integration-writing').href,
    zod: findStartedModule('integration-zod').href,
  }
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = context.parentURL?.startsWith(folder.href) ? modules[specifier] : undefined
      return url ? { url, shortCircuit: true } : nextResolve(specifier, context)
    },
  })
}
