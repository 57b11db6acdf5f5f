import { line } from '../markdown/text.ts'

/** A service that was just pointed at us says so. */
export function setUpMessage(service: string, actor?: string): string {
  return actor === undefined
    ? `The ${service} webhook is set up.`
    : `The ${service} webhook was set up by ${line(actor)}.`
}
