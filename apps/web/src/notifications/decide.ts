/** The properties of a new message that decide about notifications. */
export interface ArrivedMessage {
  readonly isOwn: boolean
  readonly isPrivate: boolean
  /** Whether its topic, its stream or its sender is muted. */
  readonly isMuted: boolean
  readonly flags: readonly string[]
}

/** Settings of the account. Settings of the stream take precedence if they are not null. */
export interface NotificationRules {
  readonly screen: boolean
  readonly sound: boolean
  readonly streamScreen: boolean
  readonly streamSound: boolean
  readonly wildcards: boolean
}

export interface NotificationChannels {
  readonly screen: boolean
  readonly sound: boolean
}

const noChannels: NotificationChannels = { screen: false, sound: false }

/**
 * Decides how a message notifies the user. Private messages, mentions and alert words follow the
 * settings of the account; other stream messages follow the settings of their stream. In muted
 * conversations only a personal mention notifies.
 */
export function chooseChannels(message: ArrivedMessage, rules: NotificationRules): NotificationChannels {
  const { isOwn, isPrivate, isMuted, flags } = message
  const has = (flag: string) => flags.includes(flag)
  if (isOwn || has('read')) return noChannels
  const isDirect =
    has('mentioned') ||
    (!isMuted && (isPrivate || has('has_alert_word') || (has('wildcard_mentioned') && rules.wildcards)))
  if (isDirect) return { screen: rules.screen, sound: rules.sound }
  return isMuted ? noChannels : { screen: rules.streamScreen, sound: rules.streamSound }
}
