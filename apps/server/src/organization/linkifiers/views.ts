import type { Linkifier } from '@oxbow/contract'
import type { LinkifierRow } from '../../platform/database/tables.ts'

export function viewLinkifiers(rows: readonly LinkifierRow[]): Linkifier[] {
  return rows.map(({ pattern, url_format, id }) => [pattern, url_format, id])
}
