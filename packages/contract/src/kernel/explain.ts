import type { z } from 'zod'

type Issue = z.core.$ZodIssue & { input?: unknown }

const typeNames: Record<string, string> = {
  string: 'a string',
  int: 'an integer',
  // Numbers in the protocol are integers, except in a few schemas that have their own error text.
  number: 'an integer',
  boolean: 'a boolean',
  array: 'a list',
  object: 'a dict',
  record: 'a dict',
}

/**
 * Returns the protocol's error text for an issue that zod found. A schema can have its own text, in
 * which `{V}` stands for the path of the value; all other texts are built here.
 */
export function explainIssue(issue: Issue, name: string): string {
  const path = pathText(name, issue.path)
  if (issue.input === undefined && issue.path.length > 0 && issue.code !== 'unrecognized_keys') {
    return `${String(issue.path.at(-1))} key is missing from ${pathText(name, issue.path.slice(0, -1))}`
  }
  if (issue.message.includes('{V}')) return issue.message.replaceAll('{V}', path)
  switch (issue.code) {
    case 'invalid_type':
      return `${path} is not ${typeNames[issue.expected] ?? `a ${issue.expected}`}`
    case 'too_big':
    case 'too_small':
      // Only unsafe integers get here, because schemas with a maximum length have their own error texts.
      return `${path} is not an integer`
    case 'invalid_union':
      return `${path} is not an allowed_type`
    case 'unrecognized_keys':
      return `Unexpected arguments: ${issue.keys.join(', ')}`
    default:
      return `Invalid ${path}`
  }
}

/** Formats a path like `data[0]["value"]`. */
function pathText(name: string, path: readonly PropertyKey[]): string {
  return name + path.map((step) => (typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`)).join('')
}
