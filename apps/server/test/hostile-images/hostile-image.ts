/** What becomes of it: a refusal, or a picture of ours. `either`: broken at random, so it depends on what was hit. */
export type Outcome = 'unreadable' | 'too large' | 'accepted' | 'either' | 'no file'

export interface HostileImage {
  title: string
  bytes: Uint8Array
  outcome: Outcome
  /** Where all frames would be drawn; the same unless it is said. */
  animatedOutcome?: Outcome
  fileName?: string
  contentType?: string
}

/** Stands in all that was hidden in pictures; nothing that we make of them may have it. */
export const mark = 'OXBOW-HOSTILE-MARK'

export const script = `<script>alert('${mark}')</script>`
