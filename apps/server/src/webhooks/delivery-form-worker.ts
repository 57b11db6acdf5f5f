import { serveParentThread } from '../platform/serve-parent-thread.ts'
import { type FormQuestion, parseDeliveryForm } from './delivery-form.ts'

serveParentThread(({ body, contentType }: FormQuestion) =>
  parseDeliveryForm(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType),
)
