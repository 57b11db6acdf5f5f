import { readdir, readFile } from 'node:fs/promises'
import type { Integration } from './kernel/integration.ts'

export const servicesFolder = new URL('./services/', import.meta.url)

export const isServiceName = (name: string): boolean => /^[a-z][a-z0-9_]{0,59}$/.test(name)

/** Integrations are found by their folders, so adding one needs no other change. */
export async function listServices(folder: URL = servicesFolder): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && isServiceName(entry.name))
    .map(({ name }) => name)
    .sort()
}

const loadedIntegrations = new Map<string, Promise<Integration>>()

/**
 * Loads an integration on first use, so that a node has only the code of services that send to it.
 */
export async function loadService(
  name: string,
  folder: URL = servicesFolder,
): Promise<Integration | undefined> {
  if (!isServiceName(name)) return undefined
  const { href } = new URL(`${name}/index.ts`, folder)
  const loadedIntegration = loadedIntegrations.get(href)
  if (loadedIntegration) return loadedIntegration
  if (!(await listServices(folder)).includes(name)) return undefined
  const loading = import(href).then((module: { service?: Integration }) => {
    if (module.service) return module.service
    throw new Error('index.ts exports no `service`')
  })
  loadedIntegrations.set(href, loading)
  return loading
}

/** Reads the guide of a service, as Markdown. `{url}` stands for the URL of the webhook. */
export async function readGuide(name: string): Promise<string> {
  return readFile(new URL(`${name}/guide.md`, servicesFolder), 'utf8')
}

export const getFixturesFolder = (name: string): URL => new URL(`${name}/fixtures/`, servicesFolder)
