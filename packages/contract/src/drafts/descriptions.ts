import { api } from '../api.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { draftsEvent } from './events.ts'
import { draft, draftToSave } from './shape.ts'

const draftIdText = 'The id of the draft.'
const fields = {
  type: '`stream`, `private`, or empty if the draft has no recipients yet.',
  to: 'The id of the stream, or the ids of the people. Empty if there are none yet.',
  topic: 'The topic of a draft to a stream. Otherwise empty.',
  content: 'The Markdown source.',
}
describeFields(draft, {
  id: draftIdText,
  ...fields,
  timestamp: 'When the draft was last edited, in seconds since 1970-01-01 UTC.',
})
describeFields(draftToSave, {
  id: 'Ignored.',
  ...fields,
  timestamp:
    'When the draft was last edited, in seconds since 1970-01-01 UTC; a fraction is dropped. Now if absent.',
})

describeEndpoint(
  api.drafts.list,
  {},
  { count: 'The number of drafts.', drafts: 'The drafts, the most recently edited last.' },
)
describeEndpoint(
  api.drafts.create,
  { drafts: 'The drafts to store.' },
  { ids: 'The ids of the new drafts, in the order of the request.' },
)
describeEndpoint(
  api.drafts.edit,
  { draft_id: draftIdText, draft: 'The draft as it is now, with all fields.' },
  {},
)
describeEndpoint(api.drafts.remove, { draft_id: draftIdText }, {})

const [added, updated, removed] = draftsEvent.options
describeEvent(added, { op: 'Drafts were stored.', drafts: 'The new drafts.' })
describeEvent(updated, { op: 'A draft was edited.', draft: 'The draft as it is now.' })
describeEvent(removed, { op: 'A draft was deleted.', draft_id: draftIdText })
