import { ApiError, type ErrorDeclaration, type ErrorName, errors } from '@oxbow/contract'

/**
 * Recreates the server's `ApiError` from a response body; its name is found by code and text.
 * Errors in an event stream have no status, and get the one that the contract declares.
 */
export function toApiError(body: Record<string, unknown>, status?: number): ApiError {
  const data = { ...body, text: body.msg }
  const name = findErrorName(body, status)
  const error = new ApiError(name as 'BAD_REQUEST', data as never)
  return Object.assign(error, { status: status ?? errors[name].status, message: String(body.msg), body })
}

function findErrorName(body: Record<string, unknown>, status?: number): ErrorName {
  const matches = (Object.keys(errors) as ErrorName[]).filter(
    (name) => errors[name].code === body.code && errors[name].status === (status ?? errors[name].status),
  )
  return (
    matches.find((name) => name !== 'BAD_REQUEST' && matchesDeclaration(errors[name], body)) ??
    matches[0] ??
    'BAD_REQUEST'
  )
}

function matchesDeclaration({ msg, fields = {} }: ErrorDeclaration, body: Record<string, unknown>): boolean {
  return (
    Object.keys(fields).every((field) => Object.hasOwn(body, field)) && matchesTemplate(msg, String(body.msg))
  )
}

/** Returns whether a message has the words of a template in their order. */
function matchesTemplate(template: string, msg: string): boolean {
  const [first = '', ...others] = template.split(/\{[^}]+\}/)
  const last = others.pop()
  if (last === undefined) return msg === first
  if (!msg.startsWith(first) || !msg.endsWith(last)) return false
  let at = first.length
  for (const words of others) {
    const found = msg.indexOf(words, at)
    if (found === -1) return false
    at = found + words.length
  }
  return at + last.length <= msg.length
}
