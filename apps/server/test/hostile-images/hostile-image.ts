/**
 * Expected result: a refusal, or a re-encoded picture. `either` is for random damage, whose effect varies.
 */
export type Outcome = 'unreadable' | 'too large' | 'accepted' | 'either' | 'no file'

export interface HostileImage {
  title: string
  bytes: Uint8Array
  outcome: Outcome
  /** Expected result where all frames are decoded, if it differs from `outcome`. */
  animatedOutcome?: Outcome
  fileName?: string
  contentType?: string
}

/** Text that is part of all hidden content. No stored picture may contain it. */
export const mark = 'OXBOW-HOSTILE-MARK'

export const script = `<script>alert('${mark}')</script>`
