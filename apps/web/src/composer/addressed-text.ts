import { batch } from '@preact/signals'
import type { Target } from '../client/conversations/target.ts'
import { changeDraft, draftOf, type LocalDraft } from '../client/writing/drafts.ts'
import { moveUploads, uploadsOf } from '../client/writing/uploads.ts'

/** A target, and what its draft was when it was chosen. */
interface ChosenTarget {
  readonly target: Target
  readonly draft: LocalDraft
  readonly uploadCount: number
}

/**
 * Moves the text of a dialog along when the user changes its recipients. A draft that was begun elsewhere,
 * and not changed in the dialog, stays with its recipients.
 */
export class AddressedText {
  #chosen: ChosenTarget | undefined
  /** The target that has the text which was written in the dialog. */
  #written: ChosenTarget | undefined

  /**
   * Moves the text to the draft of a target, unless that has a text already. The earlier target keeps the
   * draft that it had when it was chosen.
   */
  addressTo(target: Target): void {
    if (this.#chosen && isWritten(this.#chosen)) this.#written = this.#chosen
    this.#chosen = { target, draft: draftOf(target), uploadCount: uploadsOf(target).length }
    if (!this.#written || this.#chosen.draft.content.trim() !== '') return
    moveText(this.#written, target)
    this.#written = this.#chosen
  }
}

function isWritten({ target, draft, uploadCount }: ChosenTarget): boolean {
  const { content } = draftOf(target)
  return (content.trim() !== '' && content !== draft.content) || uploadsOf(target).length > uploadCount
}

function moveText({ target: from, draft }: ChosenTarget, to: Target): void {
  const { content, topic } = draftOf(from)
  batch(() => {
    moveUploads(from, to)
    changeDraft(to, { content, ...(to.type === 'stream' && topic !== '' && { topic }) })
    changeDraft(from, draft)
  })
}
