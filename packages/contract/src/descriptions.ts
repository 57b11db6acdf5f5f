// Only openapi.ts imports this module, so that clients of the contract do not load the descriptions.
import './events/descriptions.ts'
import './organization/descriptions.ts'
import './settings/descriptions.ts'

export { findEndpointTexts, findFieldTexts } from './kernel/describe.ts'
