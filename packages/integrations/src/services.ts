import { readdir, readFile } from 'node:fs/promises'
import type { Integration } from './kernel/integration.ts'

export const servicesFolder = new URL('./services/', import.meta.url)

export const isServiceName = (name: string): boolean => /^[a-z][a-z0-9_]{0,59}$/.test(name)

/** By the folders there are: to add one is all that it takes. */
export async function listServices(): Promise<string[]> {
  const entries = await readdir(servicesFolder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && isServiceName(entry.name))
    .map(({ name }) => name)
    .sort()
}

const loaded = new Map<string, Promise<Integration>>()

/** When it is first asked for: a node that hears from three services holds the code of three. */
export async function loadService(name: string): Promise<Integration | undefined> {
  if (!isServiceName(name)) return undefined
  const known = loaded.get(name)
  if (known) return known
  if (!(await listServices()).includes(name)) return undefined
  const loading = import(new URL(`${name}/index.ts`, servicesFolder).href).then(
    (module: { service: Integration }) => module.service,
  )
  loaded.set(name, loading)
  return loading
}

/** The service's page, as Markdown; `{url}` stands for the URL to give to it. */
export async function readGuide(name: string): Promise<string> {
  return readFile(new URL(`${name}/guide.md`, servicesFolder), 'utf8')
}

export const fixturesOf = (name: string): URL => new URL(`${name}/fixtures/`, servicesFolder)
