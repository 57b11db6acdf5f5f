export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const maxFunctions = 25
/** Names of idle time and of the profiler itself, which are not listed. */
const hiddenNames = new Set(['(idle)', 'post node:inspector:115'])

/** Lists the functions with most self time, and their share of all samples. */
export function topFunctions({ nodes, samples, timeDeltas }: Profile): string[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '?'
    if (!hiddenNames.has(name)) times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxFunctions)
    .map(([name, time]) => `${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/(node_modules|main)\//, '')
  return `${functionName || '(anonymous)'}${file && ` ${file}:${lineNumber + 1}`}`
}
