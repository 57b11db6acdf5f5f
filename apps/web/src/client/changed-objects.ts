import type { Event } from '@oxbow/contract'

type WithoutId<Each> = Each extends unknown ? Omit<Each, 'id'> : never
/** A change that the server has not confirmed, in the form of the event that it will cause. */
export type PendingEvent = WithoutId<Event>

/**
 * Returns keys of the objects that a change concerns. Changes without a common key may be requested in any
 * order.
 */
export function listChangedObjects(event: PendingEvent): readonly string[] {
  const { type } = event
  switch (type) {
    case 'reaction':
      return [`${type} ${event.message_id} ${event.reaction_type} ${event.emoji_code}`]
    case 'update_message':
      return [`${type} ${event.message_id}`]
    case 'update_message_flags':
      // Marking a whole topic or stream as read concerns more messages than the event lists.
      return event.flag === 'read'
        ? [`${type} read`]
        : event.messages.map((message_id) => `${type} ${event.flag} ${message_id}`)
    case 'update_display_settings':
      return [`${type} ${event.setting_name}`]
    case 'update_global_notifications':
      return [`${type} ${event.notification_name}`]
    case 'subscription':
      if ('subscriptions' in event) return event.subscriptions.map(({ stream_id }) => `${type} ${stream_id}`)
      return [`${type} ${event.stream_id} ${'property' in event ? event.property : ''}`]
    case 'realm_user':
      return 'person' in event && 'custom_profile_field' in event.person
        ? [`${type} ${event.person.custom_profile_field.id}`]
        : [type]
    case 'user_topic':
      return [`${type} ${event.stream_id} ${event.topic_name.toLowerCase()}`]
    case 'scheduled_messages':
      return 'scheduled_message_id' in event ? [`${type} ${event.scheduled_message_id}`] : [type]
    default:
      // Other events contain a whole list, or are about the user.
      return [type]
  }
}
