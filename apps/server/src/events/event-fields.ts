/** The fields of an event besides those that all events have; of a union, those of each member. */
export type EventFields<Event> = Event extends unknown ? Omit<Event, 'id' | 'type'> : never
