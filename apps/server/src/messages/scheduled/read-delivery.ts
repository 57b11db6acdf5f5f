import { ApiError, maxTimestamp } from '@oxbow/contract'
import { type Moment, parseTime } from '@oxbow/markdown'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { getOffsetMinutes, isTimezone, toInstant } from '../../platform/timezones.ts'
import { readClock } from './queries.ts'

/** The parameters of `POST /messages` that request a later delivery. */
interface DeliveryRequest {
  delivery_type?: string | undefined
  deliver_at?: string | undefined
  tz_guess?: string | undefined
}

export interface Delivery {
  isReminder: boolean
  at: Date
  /** The time in the format of the protocol, in the time zone that it was parsed in. */
  deliver_at: string
}

/** Returns when and how to deliver the message, or undefined if it is to be sent now. */
export async function readDelivery(
  app: App,
  actor: Actor,
  { delivery_type, deliver_at, tz_guess }: DeliveryRequest,
): Promise<Delivery | undefined> {
  if (delivery_type !== 'send_later' && delivery_type !== 'remind') return undefined
  if (deliver_at === undefined) throw new ApiError('DELIVERY_TIME_MISSING')
  const { now, timezone } = await readClock(app.db, actor)
  const zone = [tz_guess ?? '', timezone].find(isTimezone) ?? 'UTC'
  const read = readTime(deliver_at, zone, now)
  if (!read) throw new ApiError('DELIVERY_TIME_INVALID')
  if (read.at <= now) throw new ApiError('DELIVERY_TIME_PAST')
  return { isReminder: delivery_type === 'remind', ...read }
}

/** Converts a timestamp in seconds to a time. Throws if it is not in the future. */
export async function readDeliveryTimestamp(app: App, actor: Actor, seconds: number): Promise<Date> {
  if (seconds > maxTimestamp) throw new ApiError('DELIVERY_TIME_INVALID')
  const { now } = await readClock(app.db, actor)
  if (seconds * 1_000 <= now.getTime()) throw new ApiError('SCHEDULED_TIME_PAST')
  return new Date(seconds * 1_000)
}

/**
 * Parses a time in the formats that people and programs use. A time without a time zone is in
 * `zone`.
 */
export function readTime(
  written: string,
  zone: string,
  now: Date,
): Pick<Delivery, 'at' | 'deliver_at'> | undefined {
  // A time without a date refers to the current day in the person's time zone.
  const localNow = new Date(now.getTime() + getOffsetMinutes(zone, now) * 60_000)
  const moment = parseTime(written, localNow)
  if (!moment) return undefined
  const milliseconds = Math.floor(moment.microseconds / 1_000)
  const named = new Date(moment.seconds * 1_000 + milliseconds)
  const at = moment.offsetMinutes === undefined ? toInstant(named, zone) : named
  return { at, deliver_at: format(at, moment, moment.offsetMinutes ?? getOffsetMinutes(zone, at)) }
}

/** Formats a time like `2026-03-01 10:00:00+01:00`. A fraction that is not zero gets six digits. */
function format(at: Date, { microseconds }: Moment, offsetMinutes: number): string {
  const local = new Date(at.getTime() + offsetMinutes * 60_000).toISOString()
  const fraction = microseconds === 0 ? '' : `.${String(microseconds).padStart(6, '0')}`
  const distance = Math.abs(offsetMinutes)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${two(distance / 60)}:${two(distance % 60)}`
  return `${local.slice(0, 10)} ${local.slice(11, 19)}${fraction}${offset}`
}
