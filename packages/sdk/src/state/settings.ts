import type {
  AlertWordsEvent,
  DisplaySettingsEvent,
  HotspotsEvent,
  MutedUsersEvent,
  NotificationSettingsEvent,
  StreamSectionsEvent,
} from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

export function applyDisplaySettings(state: State, { setting_name, setting }: DisplaySettingsEvent): State {
  return withFetched(state, { [setting_name]: setting })
}

export function applyNotificationSettings(
  state: State,
  { notification_name, setting }: NotificationSettingsEvent,
): State {
  return withFetched(state, { [notification_name]: setting })
}

export function applyAlertWords(state: State, { alert_words }: AlertWordsEvent): State {
  return withFetched(state, { alert_words })
}

export function applyMutedUsers(state: State, { muted_users }: MutedUsersEvent): State {
  return withFetched(state, { muted_users })
}

export function applyHotspots(state: State, { hotspots }: HotspotsEvent): State {
  return withFetched(state, { hotspots })
}

export function applyStreamSections(state: State, { stream_sections }: StreamSectionsEvent): State {
  return withFetched(state, { stream_sections })
}
