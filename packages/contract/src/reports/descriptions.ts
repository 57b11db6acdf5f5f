import { api } from '../api.ts'
import { describeEndpoint } from '../kernel/describe.ts'

describeEndpoint(
  api.reports.reportError,
  {
    message: 'The text of the error.',
    stacktrace: 'The stack trace of the error in the client.',
    ui_message: 'Whether the user saw the error.',
    user_agent: 'The program and its version.',
    href: 'The page that the client showed. Only its path is written to the log.',
    log: 'The last lines of the log of the client. Not stored.',
    more_info: 'Further information. Not stored.',
  },
  {},
)

const untilCore = 'Milliseconds until the view was visible.'
const untilFree = 'Milliseconds until the client was idle.'
describeEndpoint(
  api.reports.sendTimes,
  {
    time: 'Milliseconds until the server responded.',
    received: 'Milliseconds until the event arrived.',
    displayed: 'Milliseconds until the message was visible.',
    locally_echoed: 'Whether the client showed the message before the server responded.',
    rendered_content_disparity: 'Whether the client had rendered the message differently.',
  },
  {},
)
describeEndpoint(
  api.reports.narrowTimes,
  {
    initial_core: untilCore,
    initial_free: untilFree,
    network: 'Milliseconds until the server had sent the messages.',
  },
  {},
)
describeEndpoint(api.reports.unnarrowTimes, { initial_core: untilCore, initial_free: untilFree }, {})
