import { z } from 'zod'
import { bold, integration, link, postMessages, text, url } from '../../writing.ts'

export const service = integration({
  title: 'Hello World',
  client: 'HelloWorld',
  category: 'Automation',
  payload: z.object({ featured_title: text, featured_url: url }),
  translate: ({ payload: { featured_title, featured_url } }) =>
    postMessages({
      topic: 'Hello World',
      content: [
        'Hello! I am happy to be here! :smile:',
        `The Wikipedia featured article for today is ${bold(link(featured_title, featured_url))}`,
      ].join('\n'),
    }),
})
