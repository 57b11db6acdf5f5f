import type { FastifyRequest } from 'fastify'
import type { Actor, Credentials } from '../actor.ts'

/** An unparsed webhook request from another service. */
export interface Delivery {
  /** The whole body, which is needed to verify signatures. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly query: ReadonlyMap<string, string>
  /** Form fields; empty if the body is not a form. */
  readonly form: ReadonlyMap<string, string>
  header(name: string): string | undefined
}

/** Authenticates the bot, counts the request and throws if the bot may not deliver. */
export type Admit = (credentials: Credentials) => Promise<Actor>

export interface AdmittedDelivery {
  caller: Actor
  credentials: Credentials
  /** Absent for HEAD requests, with which some services check the URL. */
  delivery?: Delivery
}

/** Authenticates and reads a delivery. The feature that handles deliveries provides it. */
export type AdmitDelivery = (request: FastifyRequest, admit: Admit) => Promise<AdmittedDelivery>
