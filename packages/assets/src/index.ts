import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assets, startedModules } from './table.ts'

/** Defined only in builds, by `scripts/build/bundle-server.ts`. */
declare const OXBOW_IS_BUILT: true | undefined

/** Whether this code runs from a built package, without the sources. */
export const isBuilt: boolean = typeof OXBOW_IS_BUILT !== 'undefined'

/** The root of the checkout, or of the built package, where this module is in `dist/`. */
const root = new URL(isBuilt ? '../' : '../../../', import.meta.url)

type AssetName = keyof typeof assets

/** Returns the URL of an asset. URLs of folders end with a slash. */
export const findAsset = (name: AssetName): URL =>
  new URL(isBuilt ? assets[name].built : assets[name].source, root)

/** Returns the path of an asset in the file system. Paths of folders end with a slash. */
export const findAssetPath = (name: AssetName): string => fileURLToPath(findAsset(name))

/** Returns the URL of a module that a thread or process runs, or that code imports by its path. */
export const findStartedModule = (name: keyof typeof startedModules): URL =>
  new URL(isBuilt ? `dist/${name}.js` : startedModules[name], root)

/** The version of Oxbow, which is independent of the protocol's version. */
export const oxbowVersion: string = JSON.parse(readFileSync(findAsset('manifest'), 'utf8')).version
