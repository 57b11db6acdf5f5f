import { z } from 'zod'
import { bold, line, text } from '../../writing.ts'
import { board, boardLink, type Describer, makeChangeDescriber, makeDescriber } from './action.ts'

const person = z.object({ fullName: text })
const boardData = z.object({ board })

export const boardActions = {
  addMemberToBoard: makeDescriber(
    { data: boardData, member: person },
    ({ data, member }) => `added ${line(member.fullName)} to ${boardLink(data.board)}.`,
  ),

  removeMemberFromBoard: makeDescriber(
    { data: boardData, member: person },
    ({ data, member }) => `removed ${line(member.fullName)} from ${boardLink(data.board)}.`,
  ),

  createList: makeDescriber(
    { data: z.object({ board, list: z.object({ name: text }) }) },
    ({ data: { board, list } }) => `added the list ${bold(list.name)} to ${boardLink(board)}.`,
  ),

  updateBoard: makeChangeDescriber({
    name: makeDescriber(
      { data: z.object({ board, old: z.object({ name: text }) }) },
      ({ data: { board, old } }) => `renamed the board ${bold(old.name)} to ${boardLink(board)}.`,
    ),
    // Changes of the background and of visibility are ignored.
    prefs: () => 'ignored',
  }),
} satisfies Record<string, Describer>
