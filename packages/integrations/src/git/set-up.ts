import { line } from '../markdown/text.ts'

/** Reports that a service has set up its webhook. */
export function setUpMessage(service: string, actor?: string): string {
  return actor === undefined
    ? `The ${service} webhook is set up.`
    : `The ${service} webhook was set up by ${line(actor)}.`
}
