import { effect } from '@preact/signals'
import { connection } from '../data/follow.ts'
import { onTabMessage } from './channel.ts'
import { deleteStoredData } from './device.ts'

/**
 * Deletes the stored data when the session has ended, and signs this tab out when another tab signs
 * out.
 */
export function startDeletingStoredData(): void {
  effect(() => {
    if (connection.value.status === 'signed out') void deleteStoredData()
  })
  onTabMessage('signed out', () => location.assign('/login?signed_out'))
}
