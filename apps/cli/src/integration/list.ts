import { listServices, loadService } from '@oxbow/integrations'

export interface ListedIntegration {
  name: string
  title: string
  category: string
  /** The header with the signature. Null if the service does not sign. */
  signature: string | null
  events: readonly string[]
}

export interface BrokenIntegration {
  name: string
  reason: string
}

/** Loads all integrations of a folder. Integrations that cannot be loaded are returned in `broken`. */
export async function listIntegrations(
  folder?: URL,
): Promise<{ listed: ListedIntegration[]; broken: BrokenIntegration[] }> {
  const listed: ListedIntegration[] = []
  const broken: BrokenIntegration[] = []
  for (const name of await listServices(folder)) {
    try {
      const { title = '', category = '', signature, events = [] } = (await loadService(name, folder)) ?? {}
      listed.push({ name, title, category, signature: signature?.header ?? null, events })
    } catch (error) {
      broken.push({ name, reason: (error as Error).message })
    }
  }
  return { listed, broken }
}
