import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { changeFlag } from './change-flag.ts'

export const isStarred = ({ flags }: WindowMessage): boolean => (flags & flagBits.starred) !== 0

export const toggleStar = (message: WindowMessage): Promise<void> =>
  changeFlag([message], 'starred', isStarred(message) ? 'remove' : 'add')
