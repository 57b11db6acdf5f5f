import { findNearestName } from './nearest-name.ts'
import { settings } from './settings.ts'

const prefix = 'OXBOW_'
const knownVariables = [...Object.values(settings).map(({ env }) => env), 'OXBOW_CONFIG']
/** Kubernetes sets these for a service that is called oxbow. */
const ofKubernetes = /^OXBOW_(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP|SCTP)\w*)$/

/** Describes variables of the environment that look like settings and are none, one sentence each. */
export function describeUnknownVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] && !knownVariables.includes(name))
    .filter((name) => !ofKubernetes.test(name))
    .map((name) => {
      const meant = findMeantVariable(name)
      return `${name} is not a setting${meant ? `; did you mean ${meant}?` : '. `oxbow config` lists the settings.'}`
    })
}

/** Compares without the prefix: some variables have none, and it would make everything look alike. */
function findMeantVariable(name: string): string | undefined {
  const bare = (variable: string) => variable.replace(/^OXBOW_/, '')
  const meant = findNearestName(bare(name), knownVariables.map(bare))
  return knownVariables.find((variable) => bare(variable) === meant)
}
