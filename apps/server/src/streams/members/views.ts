/** Returns the object as JSON with its subscribers, which are already JSON. */
export function withMembers(object: object, members = '[]'): string {
  return `${JSON.stringify(object).slice(0, -1)},"subscribers":${members}}`
}
