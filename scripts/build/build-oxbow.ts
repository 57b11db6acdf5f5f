import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assets } from '../../packages/assets/src/table.ts'
import { bundleServer, copyAssets, nativePackages } from './bundle-server.ts'
import {
  describePackages,
  listBundledFolders,
  listDependencyFolders,
  writeBillOfMaterials,
  writeLicenses,
} from './third-party.ts'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Builds the package `oxbow` into a folder, which it empties first. The package runs on Node 24
 * without the sources; its only dependencies are packages with native code, and optional ones for
 * traces. `webFolder` contains the built client.
 */
export async function buildOxbow(folder: string, webFolder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const { metafile } = await bundleServer(folder)
  copyAssets(folder)
  cpSync(webFolder, join(folder, assets.webClient.built), { recursive: true })
  for (const file of ['oxbow.js', 'on-orphaned.js'])
    copyFileSync(join('apps/cli/bin', file), join(folder, 'bin', file))
  chmodSync(join(folder, 'bin/oxbow.js'), 0o755)
  copyFileSync('LICENSE', join(folder, 'LICENSE'))
  copyFileSync('scripts/build/oxbow-readme.md', join(folder, 'README.md'))
  const product = writeManifest(folder)
  const bundled = listBundledFolders(Object.keys(metafile.inputs))
  const packages = describePackages([...bundled, ...listDependencyFolders('apps/web')])
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), writeLicenses(packages))
  writeFileSync(join(folder, 'bom.cdx.json'), writeBillOfMaterials(product, packages))
}

function writeManifest(folder: string): { name: string; version: string; license: string } {
  const { name, version, description, license, engines } = readJson('package.json')
  const { dependencies, optionalDependencies } = readJson('apps/server/package.json')
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { oxbow: 'bin/oxbow.js' },
    // The only entry, for packages that start Oxbow.
    exports: './bin/oxbow.js',
    files: ['bin', 'dist', 'bom.cdx.json', 'THIRD-PARTY-LICENSES.txt'],
    engines,
    dependencies: Object.fromEntries(nativePackages.map((native) => [native, dependencies[native]])),
    // npm does not install optional peers, so that servers without traces stay small.
    peerDependencies: optionalDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(optionalDependencies).map((peer) => [peer, { optional: true }]),
    ),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  return { name, version, license }
}
