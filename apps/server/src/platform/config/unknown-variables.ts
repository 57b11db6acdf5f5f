import { findNearestName } from './nearest-name.ts'
import { settings } from './settings.ts'

const prefix = 'OXBOW_'
const knownVariables = [
  ...Object.values(settings).map(({ env }) => env),
  'OXBOW_CONFIG',
  'OXBOW_BACKUP_PASSPHRASE',
]
/** Variables that Kubernetes sets for a service named oxbow. */
const kubernetesVariable = /^OXBOW_(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP|SCTP)\w*)$/

/** Describes environment variables that look like settings but are not, one sentence each. */
export function describeUnknownVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] && !knownVariables.includes(name))
    .filter((name) => !kubernetesVariable.test(name))
    .map((name) => {
      const meant = findSimilarVariable(name)
      return `${name} is not a setting${meant ? `; did you mean ${meant}?` : '. `oxbow config` lists the settings.'}`
    })
}

/**
 * Compares without the prefix, which would make all names look alike and which some variables lack.
 */
function findSimilarVariable(name: string): string | undefined {
  const bare = (variable: string) => variable.replace(/^OXBOW_/, '')
  const meant = findNearestName(bare(name), knownVariables.map(bare))
  return knownVariables.find((variable) => bare(variable) === meant)
}
