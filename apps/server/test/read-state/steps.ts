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
import { comeOrGo, moveMessages, moveNewest, muteStream, muteTopic, remove } from './moving.ts'
import type { Picture } from './picture.ts'
import type { Real } from './real.ts'
import { hold, release, sendMessage, sendPrivately } from './sending.ts'

type Step = fc.AsyncCommand<Picture, Real>

/** Runs steps as one, because failures often need all of them. */
const inARow = (...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step> =>
  fc.tuple(...steps).map((row) => ({
    check: () => true,
    async run(picture, real) {
      for (const step of row) await step.run(picture, real)
    },
    toString: () => row.join(', then '),
  }))

export const steps = [
  ...[sendMessage, sendMessage, sendMessage, sendPrivately],
  ...[hold, release, inARow(hold, sendMessage, everyoneMarks, release)],
  ...[changeRead, changeRead, readAllAtOnce, changeOwn],
  ...[markAll, markStream, markTopic],
  ...[
    comeOrGo,
    comeOrGo,
    moveMessages,
    moveMessages,
    inARow(sendMessage, sendMessage, moveNewest, everyoneMarks),
    remove,
  ],
  ...[muteStream, muteTopic],
]
