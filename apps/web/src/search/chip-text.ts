import { formatDate } from '../client/formats/dates.ts'
import { startOfDay } from '../client/formats/local-time.ts'
import { nameOf } from '../client/people/names.ts'
import { findStreamName } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'
import { type Chip, isOperand } from './query.ts'

/** Returns the operand of a condition as a text for people: a name in place of an id. Reads signals. */
function describeOperand(chip: Chip): string {
  switch (chip.operator) {
    case 'stream': {
      const { stream_id, name } = chip.operand
      return (stream_id === undefined ? undefined : findStreamName(stream_id)) ?? name
    }
    case 'sender':
    case 'pm-with':
    case 'group-pm-with': {
      const { user_ids, label } = chip.operand
      return user_ids.length === 0 ? label : user_ids.map(nameOf).join(', ')
    }
    case 'date':
      return formatDate(startOfDay(chip.operand))
    default:
      return chip.operand
  }
}

/** Returns the text of a condition, like `stream: garden`. Reads signals. */
export function describeChip(chip: Chip): string {
  const words = { operator: chip.operator, value: describeOperand(chip) }
  return chip.negated ? t('search.chip_not', words) : t('search.chip', words)
}

/**
 * Returns whether a condition refers to something unknown to the reader, as in a wrong link or
 * after a deletion.
 */
export function isWrong(chip: Chip): boolean {
  if (chip.operator === 'stream')
    return chip.operand.stream_id === undefined || findStreamName(chip.operand.stream_id) === undefined
  if (typeof chip.operand !== 'string') return chip.operand.user_ids.length === 0
  return chip.operator !== 'date' && !isOperand(chip.operator, chip.operand)
}
