import { ApiError, commonResponseFields, listRaisableErrors, type NamedEndpoint } from '@oxbow/contract'
import { z } from 'zod'

/** A response that the contract does not allow, which is always a bug of the server. */
export class ContractViolation extends Error {}

export interface ContractCheck {
  checkResponse(fields: object): void
  checkError(error: unknown): void
}

/** Checks the responses and errors of an endpoint against its declaration. */
export function makeContractCheck({ name, endpoint }: NamedEndpoint): ContractCheck {
  const response = (endpoint.isResponseOpen ? z.looseObject : z.strictObject)({
    ...endpoint.response,
    ...commonResponseFields,
  })
  const allowed = listRaisableErrors(endpoint)
  return {
    checkResponse(fields) {
      const result = response.safeParse(fields)
      if (!result.success) {
        throw new ContractViolation(`${name} answered against its contract: ${z.prettifyError(result.error)}`)
      }
    },
    checkError(error) {
      if (error instanceof ApiError && !allowed.has(error.errorName)) {
        throw new ContractViolation(`${name} raised ${error.errorName}, which it does not declare`, {
          cause: error,
        })
      }
    },
  }
}
