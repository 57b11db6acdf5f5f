import type { DefaultStreamGroupsEvent, DefaultStreamsEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

export function applyDefaultStreams(state: State, { default_streams }: DefaultStreamsEvent): State {
  return withFetched(state, { realm_default_streams: default_streams })
}

export function applyDefaultStreamGroups(
  state: State,
  { default_stream_groups }: DefaultStreamGroupsEvent,
): State {
  return withFetched(state, { realm_default_stream_groups: default_stream_groups })
}
