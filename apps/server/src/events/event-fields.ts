/**
 * The fields of an event except those that all events have. For a union of events, the result is a union too.
 */
export type EventFields<Event> = Event extends unknown ? Omit<Event, 'id' | 'type'> : never
