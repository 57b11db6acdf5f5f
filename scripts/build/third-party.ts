import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ThirdPartyPackage {
  name: string
  version: string
  license: string
  /** The text of the licence, and of its notice if the package has one. */
  text: string
  /** The hash from the lockfile, such as `sha512-…`. */
  integrity: string | undefined
}

interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  author?: string | { name: string }
  dependencies?: Record<string, string>
}

const lockfile: { packages: Record<string, { integrity?: string }> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the folders of the packages whose modules esbuild has bundled. */
export function listBundledFolders(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])
  return [...new Set(folders)]
}

/** Returns the folders of all packages that a workspace needs at run time, directly or indirectly. */
export function listDependencyFolders(workspace: string): string[] {
  const folders = new Set<string>()
  const visit = (folder: string) => {
    for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
      const own = join(folder, 'node_modules', name)
      const found = existsSync(own) ? own : join('node_modules', name)
      if (folders.has(found)) continue
      folders.add(found)
      visit(found)
    }
  }
  visit(workspace)
  return [...folders].filter((folder) => !folder.includes('node_modules/@oxbow/'))
}

/** Describes packages by their folders, sorted by name. */
export function describePackages(folders: readonly string[]): ThirdPartyPackage[] {
  return [...new Set(folders)]
    .map((folder) => {
      const { name, version, license = 'unknown', author } = readManifest(folder)
      const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      const texts = files.flatMap((file) => globSync(join(folder, file, '**'))).length
        ? files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
        : []
      const holder = typeof author === 'object' ? author.name : author
      return {
        name,
        version,
        license: typeof license === 'object' ? license.type : license,
        text: texts.join('\n\n') || `The package has no licence file. Author: ${holder ?? 'see the package'}`,
        integrity: lockfile.packages[folder]?.integrity,
      }
    })
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

/** Returns the texts of all licences. Each text appears once, with the packages that it applies to. */
export function writeLicenses(packages: readonly ThirdPartyPackage[]): string {
  const titles = Map.groupBy(packages, ({ text }) => text)
  const parts = [...titles].map(([text, named]) => {
    const title = named.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n')
    return `${title}\n\n${text}\n`
  })
  return `This package contains the following software of others.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/** Returns a bill of materials in the CycloneDX format. Equal inputs give equal bytes. */
export function writeBillOfMaterials(
  product: { name: string; version: string; license: string },
  packages: readonly ThirdPartyPackage[],
): string {
  const component = ({ name, version, license, integrity }: ThirdPartyPackage) => ({
    type: 'library',
    name,
    version,
    purl: packageUrl(name, version),
    licenses: [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
    ...(integrity?.startsWith('sha512-') && {
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
      ],
    }),
  })
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: product.name,
        version: product.version,
        purl: packageUrl(product.name, product.version),
        licenses: [{ license: { id: product.license } }],
      },
    },
    components: packages.map(component),
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

const packageUrl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
