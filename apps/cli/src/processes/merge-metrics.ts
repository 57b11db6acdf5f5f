interface Family {
  /** The lines HELP and TYPE. */
  head: string[]
  samples: string[]
}

/**
 * Merges metrics in the text format of Prometheus. Each metric must have its description once and all its
 * samples in one place, so concatenating the texts would not do.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>()
  for (const text of texts) addTo(families, text)
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, ''])
  return `${lines.join('\n')}\n`
}

function addTo(families: Map<string, Family>, text: string): void {
  let family: Family | undefined
  let isFirst = false
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
    if (kind === 'HELP') {
      isFirst = !families.has(name)
      family = families.get(name) ?? { head: [], samples: [] }
      families.set(name, family)
    }
    if (kind) {
      if (isFirst) family?.head.push(line)
    } else family?.samples.push(line)
  }
}
