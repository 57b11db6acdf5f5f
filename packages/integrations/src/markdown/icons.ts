/** Emoji that all services use for the same kind of event. */
export const icons = {
  alert: ':rotating_light:',
  ok: ':squared_ok:',
  warning: ':warning:',
  waiting: ':hourglass:',
  unknown: ':question:',
} as const
