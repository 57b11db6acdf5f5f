import { ApiError, commonResponseFields, listRaisableErrors, type NamedEndpoint } from '@oxbow/contract'
import { z } from 'zod'

/** An answer that the contract does not allow: always a mistake of ours. */
export class ContractViolation extends Error {}

export interface ContractCheck {
  reply(fields: object): void
  raised(error: unknown): void
}

/** Holds what an endpoint answers against what it declares. */
export function contractCheck({ name, endpoint }: NamedEndpoint): ContractCheck {
  const response = (endpoint.isResponseOpen ? z.looseObject : z.strictObject)({
    ...endpoint.response,
    ...commonResponseFields,
  })
  const allowed = listRaisableErrors(endpoint)
  return {
    reply(fields) {
      const result = response.safeParse(fields)
      if (!result.success) {
        throw new ContractViolation(`${name} answered against its contract: ${z.prettifyError(result.error)}`)
      }
    },
    raised(error) {
      if (error instanceof ApiError && !allowed.has(error.errorName)) {
        throw new ContractViolation(`${name} raised ${error.errorName}, which it does not declare`, {
          cause: error,
        })
      }
    },
  }
}
