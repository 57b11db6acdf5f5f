/** JSON of the object with its subscribers, which are JSON already. */
export function withMembers(object: object, members = '[]'): string {
  return `${JSON.stringify(object).slice(0, -1)},"subscribers":${members}}`
}
