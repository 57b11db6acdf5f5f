import { answerQuestions } from '../platform/answer-questions.ts'
import { type FormQuestion, parseDeliveryForm } from './delivery-form.ts'

answerQuestions(({ body, contentType }: FormQuestion) =>
  parseDeliveryForm(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType),
)
