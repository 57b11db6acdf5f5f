import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { archiveStream } from './archive-stream.ts'
import {
  changeGroupStreams,
  createDefaultGroup,
  removeDefaultGroup,
  updateGroup,
} from './defaults/default-groups.ts'
import { addDefaultStream, removeDefaultStream } from './defaults/default-streams.ts'
import { createFolder, listStreamFolders, reorderFolders, updateFolder } from './folders/change-folders.ts'
import { getStream, getStreamId, listVisibleStreams } from './list-streams.ts'
import { getSubscriptionStatus, listStreamMembers } from './members/list-members.ts'
import { setStreamSections } from './sections/arrange-sections.ts'
import { changeSubscriptions } from './subscriptions/change-subscriptions.ts'
import { listOwnSubscriptions } from './subscriptions/list-subscriptions.ts'
import { setOneProperty, setProperties } from './subscriptions/set-properties.ts'
import { subscribe } from './subscriptions/subscribe.ts'
import { unsubscribe } from './subscriptions/unsubscribe.ts'
import { setAttention } from './topic-attention/change-attention.ts'
import { muteTopic } from './topic-attention/mute-topic.ts'
import { updateStream } from './update-stream.ts'

/** Endpoints of streams. Endpoints about messages are in `messages/topics.ts`. */
export const streamRoutes: Omit<Routes<typeof api.streams>, 'topics' | 'deleteTopic'> = {
  list: listVisibleStreams,
  get: getStream,
  getId: getStreamId,
  members: listStreamMembers,
  update: updateStream,
  archive: archiveStream,
}

export const streamFolderRoutes: Routes<typeof api.streamFolders> = {
  list: listStreamFolders,
  create: createFolder,
  reorder: reorderFolders,
  update: updateFolder,
}

export const streamSectionRoutes: Routes<typeof api.streamSections> = { set: setStreamSections }

export const subscriptionRoutes: Routes<typeof api.subscriptions> = {
  list: listOwnSubscriptions,
  subscribe,
  change: changeSubscriptions,
  unsubscribe,
  setProperties,
  setProperty: setOneProperty,
  status: getSubscriptionStatus,
  muteTopic,
  setAttention,
}

export const defaultStreamRoutes: Routes<typeof api.defaultStreams> = {
  add: addDefaultStream,
  remove: removeDefaultStream,
  createGroup: createDefaultGroup,
  updateGroup,
  changeGroupStreams,
  removeGroup: removeDefaultGroup,
}
