/** The attention of an account to a topic, as numbers of the protocol (`visibility_policy`). */
export const Attention = {
  /** As the stream says. */
  none: 0,
  muted: 1,
  /** Not muted, although the stream is. */
  unmuted: 2,
  followed: 3,
} as const
export type Attention = (typeof Attention)[keyof typeof Attention]
