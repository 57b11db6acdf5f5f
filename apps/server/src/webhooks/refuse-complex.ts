import { ApiError } from '@oxbow/contract'

/**
 * Maximum number of object members and list items together. Services send at most a twentieth of
 * this.
 */
const maxValues = 200_000
const maxDepth = 100

/** Throws `PAYLOAD_TOO_COMPLEX` for JSON that would take long to process, even if it is small. */
export function refuseComplexPayload(payload: unknown): void {
  let level: unknown[] = [payload]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new ApiError('PAYLOAD_TOO_COMPLEX', { maxValues, maxDepth })
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const inside of Object.values(value)) {
        next.push(inside)
        if (++values > maxValues) throw new ApiError('PAYLOAD_TOO_COMPLEX', { maxValues, maxDepth })
      }
    }
    level = next
  }
}
