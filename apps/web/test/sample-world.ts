import { fillSampleOrganization, type Person, setSampleTimes, type World } from '@oxbow/testkit'

/** Fills a world with the people and conversations of `npm run sample`. Olive is the owner. */
export const fillSampleWorld = (world: World): ReturnType<typeof fillSampleOrganization> =>
  fillSampleOrganization({
    person: async (name, full_name): Promise<Person> => {
      if (name === 'olive') return world.owner
      const person = await world.person(name)
      await world.owner.users.update({ user_id: person.user_id, full_name })
      return person
    },
    setTimes: (messages) => setSampleTimes(world.database.query, messages),
  })
