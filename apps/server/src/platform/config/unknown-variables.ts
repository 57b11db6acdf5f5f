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
      const suggestion = findSimilarVariable(name)
      return `${name} is not a setting${suggestion ? `; did you mean ${suggestion}?` : '. `oxbow config` lists the settings.'}`
    })
}

/**
 * Finds the setting with the most similar name. Compares names without the prefix, because the prefix makes
 * all names similar, and some variables lack it.
 */
function findSimilarVariable(name: string): string | undefined {
  const withoutPrefix = (variable: string) => variable.replace(/^OXBOW_/, '')
  const suggestion = findNearestName(withoutPrefix(name), knownVariables.map(withoutPrefix))
  return knownVariables.find((variable) => withoutPrefix(variable) === suggestion)
}
