import type { StateSlice } from '../events/state-slice.ts'
import { fewestGuesses, shortestPassword } from './password-strength.ts'

export const passwordState: StateSlice = {
  types: ['realm'],
  read: async () => ({ password_min_length: shortestPassword, password_min_guesses: fewestGuesses }),
}
