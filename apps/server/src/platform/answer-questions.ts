import { parentPort } from 'node:worker_threads'
import { ApiError } from '@oxbow/contract'

/** The other side of a `LazyWorker`: answers each question in turn. */
export function answerQuestions<Question, Value>(
  answer: (question: Question) => Value | Promise<Value>,
): void {
  // One after the other, so that answers keep the order of the questions.
  let last = Promise.resolve()
  parentPort?.on('message', (question: Question) => {
    last = last.then(async () => {
      try {
        parentPort?.postMessage({ value: await answer(question) })
      } catch (error) {
        // The class of an error does not come across, so a refusal goes by its name.
        const refusal = error instanceof ApiError && { name: error.errorName, body: error.body }
        parentPort?.postMessage({ error, ...(refusal && { refusal }) })
      }
    })
  })
}
