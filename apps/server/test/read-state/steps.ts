import fc from 'fast-check'
import {
  changeOwn,
  changeRead,
  everyoneMarks,
  markAll,
  markStream,
  markTopic,
  readAllAtOnce,
} from './marking.ts'
import type { Model } from './model.ts'
import { moveMessages, moveNewest, muteStream, muteTopic, remove, toggleSubscription } from './moving.ts'
import { hold, release, sendMessage, sendPrivately } from './sending.ts'
import type { TestedServer } from './tested-server.ts'

export type Step = fc.AsyncCommand<Model, TestedServer>

/** Combines steps into one, because some bugs appear only after exactly this sequence. */
const inSequence = (...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step> =>
  fc.tuple(...steps).map((drawnSteps) => ({
    check: () => true,
    async run(model, server) {
      for (const step of drawnSteps) await step.run(model, server)
    },
    toString: () => drawnSteps.join(', then '),
  }))

export const steps = [
  ...[sendMessage, sendMessage, sendMessage, sendPrivately],
  ...[hold, release, inSequence(hold, sendMessage, everyoneMarks, release)],
  ...[changeRead, changeRead, readAllAtOnce, changeOwn],
  ...[markAll, markStream, markTopic],
  ...[
    toggleSubscription,
    toggleSubscription,
    moveMessages,
    moveMessages,
    inSequence(sendMessage, sendMessage, moveNewest, everyoneMarks),
    remove,
  ],
  ...[muteStream, muteTopic],
]
