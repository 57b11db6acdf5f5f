import { serveParentThread } from '../../platform/threads/serve-parent-thread.ts'
import { type FormBody, parseDeliveryForm } from './delivery-form.ts'

serveParentThread(({ body, contentType }: FormBody) =>
  parseDeliveryForm(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType),
)
