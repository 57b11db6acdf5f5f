import { type FollowOptions, followEvents, wakeWithBrowser } from '@oxbow/sdk/browser'
import { batch, signal } from '@preact/signals'
import { clientOptions } from './client.ts'
import { announceFollowed } from './events.ts'
import { base } from './store.ts'

/** How the connection to the server is. */
export type Connection =
  | { status: 'starting' | 'live' | 'signed out' }
  /** Attempts fail since this time; the next one is made at `retryAt`. Both in milliseconds. */
  | { status: 'troubled'; since: number; retryAt: number }
  /** The server refuses for a reason that does not pass. */
  | { status: 'refused'; reason: string }

export const connection = signal<Connection>({ status: 'starting' })

const registration: NonNullable<FollowOptions['registration']> = {
  apply_markdown: true,
  slim_presence: true,
  include_subscribers: false,
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
  queue_lifespan_secs: 604_800,
  event_types: null,
  fetch_event_types: [
    'realm',
    'realm_user',
    'realm_bot',
    'realm_emoji',
    'realm_filters',
    'realm_user_groups',
    'realm_domains',
    'custom_profile_fields',
    'update_display_settings',
    'update_global_notifications',
    'alert_words',
    'muted_topics',
    'subscription',
    'default_streams',
    'default_stream_groups',
    'drafts',
    'scheduled_messages',
    'message',
    'update_message_flags',
    'starred_messages',
    'recent_private_conversations',
    'user_status',
    'hotspots',
  ],
}

/** Registers with the server and keeps the store up to date until the session ends. */
export async function startFollowing(): Promise<void> {
  const events = followEvents(clientOptions, {
    registration,
    transport: 'stream',
    onTrouble: noteTrouble,
    onRecovered: noteSuccess,
  })
  wakeWithBrowser(events)
  try {
    for await (const followed of events)
      batch(() => {
        base.value = followed.state
        announceFollowed(followed)
        noteSuccess()
      })
  } catch (error) {
    const { status, message } = error as { status?: number; message?: string }
    connection.value =
      status === 401 ? { status: 'signed out' } : { status: 'refused', reason: String(message ?? error) }
  }
}

function noteSuccess(): void {
  if (base.peek() && connection.peek().status !== 'live') connection.value = { status: 'live' }
}

function noteTrouble(_error: unknown, waitMs: number): void {
  const known = connection.peek()
  const since = known.status === 'troubled' ? known.since : Date.now()
  connection.value = { status: 'troubled', since, retryAt: Date.now() + waitMs }
}
