import type { z } from 'zod'

type Issue = z.core.$ZodIssue & { input?: unknown }

const notA: Record<string, string> = {
  string: 'a string',
  int: 'an integer',
  // Numbers of the protocol are integers; the few that are not say so themselves.
  number: 'an integer',
  boolean: 'a boolean',
  array: 'a list',
  object: 'a dict',
  record: 'a dict',
}

/**
 * The protocol's text for what zod found. `{V}` in a schema's own message stands for the path of the value, so a
 * schema can say anything that the table below does not.
 */
export function explain(issue: Issue, name: string): string {
  const path = pathText(name, issue.path)
  if (issue.input === undefined && issue.path.length > 0 && issue.code !== 'unrecognized_keys') {
    return `${String(issue.path.at(-1))} key is missing from ${pathText(name, issue.path.slice(0, -1))}`
  }
  if (issue.message.includes('{V}')) return issue.message.replaceAll('{V}', path)
  switch (issue.code) {
    case 'invalid_type':
      return `${path} is not ${notA[issue.expected] ?? `a ${issue.expected}`}`
    case 'too_big':
    case 'too_small':
      // Only integers outside the exact range of a number come here: lengths have texts of their own.
      return `${path} is not an integer`
    case 'invalid_union':
      return `${path} is not an allowed_type`
    case 'unrecognized_keys':
      return `Unexpected arguments: ${issue.keys.join(', ')}`
    default:
      return `Invalid ${path}`
  }
}

/** `data[0]["value"]`: list items by number, object members by quoted key. */
function pathText(name: string, path: readonly PropertyKey[]): string {
  return name + path.map((step) => (typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`)).join('')
}
