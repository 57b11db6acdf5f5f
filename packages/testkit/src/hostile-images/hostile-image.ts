/**
 * Expected result: a refusal, or a re-encoded picture. `either` is for random damage, whose effect varies.
 */
export type Outcome = 'unreadable' | 'too large' | 'accepted' | 'either' | 'no file'

export interface HostileImage {
  title: string
  /** Makes the file when it is needed, because some files take a second to make, and the gate uses a sample. */
  make(): Uint8Array | Promise<Uint8Array>
  outcome: Outcome
  /** Expected result if all frames are decoded; absent if it equals `outcome`. */
  animatedOutcome?: Outcome
  fileName?: string
  contentType?: string
}

/** A text that all hidden content includes. No stored picture may contain it. */
export const mark = 'OXBOW-HOSTILE-MARK'

export const script = `<script>alert('${mark}')</script>`
