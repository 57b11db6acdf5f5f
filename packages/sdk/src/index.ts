export {
  type Call,
  type Client,
  type ClientOptions,
  type Credentials,
  createClient,
  TransportError,
} from './client.ts'
export { applyEvent } from './state/apply-event.ts'
export type { Asked, State } from './state/state.ts'
