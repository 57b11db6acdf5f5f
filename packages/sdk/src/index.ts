export {
  type Call,
  type Client,
  type ClientOptions,
  type Credentials,
  createClient,
  TransportError,
} from './client.ts'
