import type { StateSlice } from '../events/state-slice.ts'
import { minPasswordGuesses, minPasswordLength } from './password-strength.ts'

export const passwordState: StateSlice = {
  types: ['realm'],
  read: async () => ({ password_min_length: minPasswordLength, password_min_guesses: minPasswordGuesses }),
}
