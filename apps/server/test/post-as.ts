import type { MadeStream, Person } from '@oxbow/testkit'

export async function postAs(person: Person, { name }: Pick<MadeStream, 'name'>): Promise<void> {
  await person.messages.send({
    type: 'stream',
    to: name,
    topic: 'weather',
    content: 'Sunny.',
  })
}
