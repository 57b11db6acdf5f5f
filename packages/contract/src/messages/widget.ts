import { z } from 'zod'
import { oneOfIntegers } from '../kernel/schemas.ts'

/**
 * Limits for the submessages of one message: of all accounts together, and of one account (`Own`). The bytes of all
 * accounts are those of a response, in which a quote takes two bytes and each submessage has field names and ids.
 */
export const maxSubmessages = 10_000
export const maxTotalSubmessageBytes = 2_200_000
export const maxOwnSubmessages = 500
export const maxOwnSubmessageBytes = 50_000
/** Limits for one submessage. */
export const maxSubmessageBytes = 10_000
export const maxSubmessageTypeLength = 60

/** Types of widgets that a text can create by beginning with `/poll`, `/todo` or `/tictactoe`. */
export const commandWidgets = ['poll', 'todo', 'tictactoe'] as const
export type CommandWidget = (typeof commandWidgets)[number]

/** The `extra_data` of a poll. */
export const pollStart = z.object({ question: z.string(), options: z.array(z.string()) })
export type PollStart = z.infer<typeof pollStart>

const choice = z.object({ short_name: z.string(), long_name: z.string(), reply: z.string() })
/** The `extra_data` of a form: buttons, each of which sends a reply. */
export const choicesForm = z.object({
  type: z.literal('choices'),
  heading: z.string(),
  choices: z.array(choice),
})
export type ChoicesForm = z.infer<typeof choicesForm>

/** The number of an option or task among those that one account added. */
const index = z
  .int()
  .refine((value) => value >= 0, { error: '{V} is too small' })
  .refine((value) => value <= 1_000, { error: '{V} is too large' })

/**
 * The actions of a poll, by their `type`. The key of an option is the id of the account that added
 * it and the option's number, like `12,1`; options of the first message have the keys `canned,0`,
 * `canned,1` and so on.
 */
export const pollActions = {
  vote: z.strictObject({ type: z.literal('vote'), key: z.string(), vote: oneOfIntegers([-1, 1]) }),
  new_option: z.strictObject({ type: z.literal('new_option'), idx: index, option: z.string() }),
  question: z.strictObject({ type: z.literal('question'), question: z.string() }),
} as const
export type PollAction = z.infer<(typeof pollActions)[keyof typeof pollActions]>

/**
 * The actions of a to-do list, by their `type`. The key of a task is its number and the id of the
 * account that added it, like `1,12`.
 */
export const todoActions = {
  new_task: z.strictObject({
    type: z.literal('new_task'),
    key: index,
    task: z.string(),
    desc: z.string(),
    completed: z.boolean(),
  }),
  strike: z.strictObject({ type: z.literal('strike'), key: z.string() }),
} as const
export type TodoAction = z.infer<(typeof todoActions)[keyof typeof todoActions]>

/** The actions that submessages can contain, by the type of the widget. */
export const widgetActions = { poll: pollActions, todo: todoActions } as const
