import { parentPort } from 'node:worker_threads'
import { ApiError } from '@oxbow/contract'

/** Runs the thread's side of a `LazyWorker`: answers each question in order. */
export function serveParentThread<Question, Value>(
  answer: (question: Question) => Value | Promise<Value>,
): void {
  // Questions are answered one after another, so that answers keep their order.
  let last = Promise.resolve()
  parentPort?.on('message', (question: Question) => {
    last = last.then(async () => {
      try {
        parentPort?.postMessage({ value: await answer(question) })
      } catch (error) {
        // `postMessage` loses the class of an error, so only the name and body of an ApiError are sent.
        const refusal = error instanceof ApiError && { name: error.errorName, body: error.body }
        parentPort?.postMessage({ error, ...(refusal && { refusal }) })
      }
    })
  })
}
