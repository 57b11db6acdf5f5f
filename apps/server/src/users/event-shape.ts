import type { EventShape } from '../events/event-shape.ts'

/** One record may tell of many people, where someone comes to see or no longer sees their addresses. */
export const userEventShape: EventShape = {
  type: 'realm_user',
  variant: () => '',
  render(event) {
    const { persons, ...single } = event
    if (!Array.isArray(persons)) return [event]
    return persons.map((person: object) => ({ ...single, person }))
  },
}
