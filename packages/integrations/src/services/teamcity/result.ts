import { bold, line } from '../../writing.ts'

interface Result {
  buildResult: string
  buildResultDelta?: string | undefined
  buildStatus?: string | undefined
}

/** Returns the rest of a sentence after the build's name, or undefined for an unknown result. */
export function describeResult({ buildResult, buildResultDelta, buildStatus }: Result): string | undefined {
  const status = buildStatus ? ` (${line(buildStatus)})` : ''
  switch (buildResult) {
    case 'running':
      return `has ${bold('started')}.`
    case 'success':
      return `${buildResultDelta === 'fixed' ? `has been ${bold('fixed')}` : `was ${bold('successful')}`}${status}. :thumbs_up:`
    case 'failure':
      return `is ${bold(buildResultDelta === 'broken' ? 'broken' : 'still broken')}${status}. :thumbs_down:`
    default:
      return undefined
  }
}
