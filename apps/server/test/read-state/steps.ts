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
import { hold, release, send, sendPrivately } from './sending.ts'

type Step = fc.AsyncCommand<Picture, Real>

/** Steps that go wrong together, if they do. */
const inARow = (...each: fc.Arbitrary<Step>[]): fc.Arbitrary<Step> =>
  fc.tuple(...each).map((row) => ({
    check: () => true,
    async run(picture, real) {
      for (const one of row) await one.run(picture, real)
    },
    toString: () => row.join(', then '),
  }))

export const steps = [
  ...[send, send, send, sendPrivately],
  ...[hold, release, inARow(hold, send, everyoneMarks, release)],
  ...[changeRead, changeRead, readAllAtOnce, changeOwn],
  ...[markAll, markStream, markTopic],
  ...[comeOrGo, comeOrGo, moveMessages, moveMessages, inARow(send, send, moveNewest, everyoneMarks), remove],
  ...[muteStream, muteTopic],
]
