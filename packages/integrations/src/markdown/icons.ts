/** The same sign for the same news, whichever service tells it. */
export const icons = {
  alert: ':rotating_light:',
  ok: ':squared_ok:',
  warning: ':warning:',
  waiting: ':hourglass:',
  unknown: ':question:',
} as const
