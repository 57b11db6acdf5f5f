import { z } from 'zod'
import { optional, text } from '../../writing.ts'

export const property = z.object({ name: optional(text), value: optional(text) })

interface Triggered {
  triggeredBy?: string | undefined
  teamcityProperties?: readonly z.output<typeof property>[] | undefined
}

/** Whether a developer started the build from an editor, with changes that are not committed. */
export const isPersonal = (build: Triggered): boolean => find(build, 'env.BUILD_IS_PERSONAL') === 'true'

/**
 * Lists the full name and the user name of the user who triggered the build, if the payload
 * contains them.
 */
export function triggeredBy(build: Triggered): string[] {
  const names = [
    find(build, 'teamcity.build.triggeredBy') ?? build.triggeredBy,
    find(build, 'teamcity.build.triggeredBy.username'),
  ]
  return names.filter((name) => name !== undefined)
}

function find({ teamcityProperties = [] }: Triggered, propertyName: string): string | undefined {
  return teamcityProperties.find(({ name }) => name === propertyName)?.value
}
