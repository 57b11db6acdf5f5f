import { bold, replaceUnderscores } from '../../writing.ts'

const statusPhrases: Record<string, string> = {
  success: 'succeeded. :check:',
  fixed: 'is fixed. :check:',
  failed: 'failed. :cross_mark:',
  error: 'ended with an error. :cross_mark:',
  timedout: 'took too long. :cross_mark:',
  infrastructure_fail: 'failed for a fault of the infrastructure. :cross_mark:',
  canceled: 'was canceled.',
  unauthorized: 'was not allowed to run.',
  no_tests: 'ended without tests.',
}

/** Returns the end of a sentence like `The build failed.` */
export function describeStatus(status: string): string {
  return (
    (Object.hasOwn(statusPhrases, status) && statusPhrases[status]) ||
    `has the status ${bold(replaceUnderscores(status))}.`
  )
}
