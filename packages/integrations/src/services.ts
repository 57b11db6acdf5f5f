import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { findAsset } from '@oxbow/assets'
import type { Integration } from './kernel/integration.ts'
import { allowImports, findOwnFolder } from './own-services.ts'

export const servicesFolder = findAsset('integrations')

export const isServiceName = (name: string): boolean => /^[a-z][a-z0-9_]{0,59}$/.test(name)

/**
 * Lists the folders of integrations. The operator's folder is first, so its integrations replace
 * built-in ones with the same name.
 */
const listFolders = (): URL[] => {
  const own = findOwnFolder()
  return own ? [own, servicesFolder] : [servicesFolder]
}

/**
 * Lists the integrations in one folder, or in all. Each subfolder is an integration, so adding one
 * needs no other change.
 */
export async function listServices(folder?: URL): Promise<string[]> {
  const names = await Promise.all((folder ? [folder] : listFolders()).map(listNames))
  return [...new Set(names.flat())].sort()
}

async function listNames(folder: URL): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && isServiceName(entry.name)).map(({ name }) => name)
}

const loadedIntegrations = new Map<string, Promise<Integration>>()

/** Loads an integration on first use, so that a node loads only the code of services that send to it. */
export async function loadService(name: string, folder?: URL): Promise<Integration | undefined> {
  if (!isServiceName(name)) return undefined
  for (const home of folder ? [folder] : listFolders()) {
    const { href } = new URL(`${name}/`, home)
    const found = loadedIntegrations.get(href)
    if (found) return found
    if (!(await listNames(home)).includes(name)) continue
    const loading = importService(name, home)
    loadedIntegrations.set(href, loading)
    return loading
  }
  return undefined
}

async function importService(name: string, folder: URL): Promise<Integration> {
  if (folder.href !== servicesFolder.href) allowImports(folder)
  // Built-in integrations are compiled in a build; an operator's may be TypeScript or JavaScript.
  const files = ['index.ts', 'index.js'].map((file) => new URL(`${name}/${file}`, folder))
  const found = files.find((file) => existsSync(file))
  if (!found) throw new Error('there is no index.ts or index.js')
  const module: { service?: Integration } = await import(found.href)
  if (module.service) return module.service
  throw new Error(`${found.pathname.split('/').at(-1)} exports no \`service\``)
}

/** Reads the guide of a service, as Markdown. `{url}` stands for the URL of the webhook. */
export async function readGuide(name: string): Promise<string> {
  const guides = listFolders().map((folder) => new URL(`${name}/guide.md`, folder))
  return readFile(guides.find((guide) => existsSync(guide)) ?? (guides.at(-1) as URL), 'utf8')
}

export const getFixturesFolder = (name: string): URL => new URL(`${name}/fixtures/`, servicesFolder)
