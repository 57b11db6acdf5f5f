import { signal } from '@preact/signals'
import { readRefusal } from '../../text/refusal.ts'
import { t } from '../../text/t.ts'
import { client } from '../client.ts'
import { type Target, targetKey } from '../conversations/target.ts'
import { maxUploadMebibytes } from '../store.ts'
import { changeDraft, draftOf } from './drafts.ts'
import { appendLink, isLinkDamaged, linkTo, renameLink, restoreLink } from './upload-links.ts'
import { notePicture } from './uploaded-pictures.ts'

/** A file that was added to a draft. */
export interface Upload {
  readonly id: number
  readonly target: Target
  readonly file: File
  readonly state: 'waiting' | 'uploading' | 'failed' | 'done'
  /** The fraction that was sent, from 0 to 1. */
  readonly progress: number
  readonly reason?: string
  /** Path on the server, once the upload is complete. */
  readonly uri?: string
  /** Text of the link. */
  readonly name: string
}

const maxAtOnce = 3
const mebibyte = 1_048_576

const uploads = signal<readonly Upload[]>([])
const requests = new Map<number, AbortController>()
let count = 0

/** Returns the files of a draft, without those whose link the user has deleted. */
export function uploadsOf(target: Target): readonly Upload[] {
  const { content } = draftOf(target)
  return listAdded(target).filter(
    ({ uri }) => uri === undefined || content.includes(uri) || isLinkDamaged(content, uri),
  )
}

/** Returns the files of a draft to which the text has no whole link any more, but a part of one. */
export function listDamaged(target: Target): readonly Upload[] {
  const { content } = draftOf(target)
  return listAdded(target).filter(({ uri }) => uri !== undefined && isLinkDamaged(content, uri))
}

/** Makes the damaged links of a draft whole. */
export function restoreDamaged(target: Target): void {
  for (const { name, uri } of listDamaged(target))
    if (uri !== undefined) changeDraft(target, { content: restoreLink(draftOf(target).content, name, uri) })
}

function listAdded(target: Target): readonly Upload[] {
  const key = targetKey(target)
  return uploads.value.filter((upload) => targetKey(upload.target) === key)
}

/** Whether uploads of a target are still in progress. */
export const isUploading = (target: Target): boolean => uploadsOf(target).some(isInProgress)

/** Whether a file of a target could not be uploaded. */
export const hasFailedUpload = (target: Target): boolean =>
  uploadsOf(target).some(({ state }) => state === 'failed')

/** Whether a file is being uploaded. Reads a signal. */
export const hasRunningUploads = (): boolean => uploads.value.some(isInProgress)

const isInProgress = ({ state }: Upload): boolean => state === 'waiting' || state === 'uploading'

/** Asks for confirmation when the page is closed or reloaded while files are uploaded, which would be lost. */
export function startKeepingUploads(): void {
  addEventListener('beforeunload', (event) => {
    if (hasRunningUploads()) event.preventDefault()
  })
}

/** Uploads files, at most three at once. When an upload completes, a link to it is added to the draft. */
export function addFiles(target: Target, files: readonly File[]): void {
  const added = files.map((file): Upload => {
    const upload = { id: ++count, target, file, progress: 0, name: file.name }
    const max = maxUploadMebibytes.peek() ?? 0
    return file.size > max * mebibyte && max > 0
      ? { ...upload, state: 'failed', reason: t('upload.too_large', { max }) }
      : { ...upload, state: 'waiting' }
  })
  uploads.value = [...uploads.value, ...added]
  startNextUploads()
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', progress: 0 })
  startNextUploads()
}

/** Aborts an upload, or removes an uploaded file from the draft. */
export function removeUpload(id: number): void {
  requests.get(id)?.abort()
  const upload = uploads.peek().find((candidate) => candidate.id === id)
  uploads.value = uploads.value.filter((candidate) => candidate.id !== id)
  if (upload?.uri !== undefined) {
    const { content } = draftOf(upload.target)
    changeDraft(upload.target, { content: content.replace(linkTo(upload.name, upload.uri), '').trimEnd() })
  }
  startNextUploads()
}

/** Sets the description of a picture, which is the text of its link. */
export function describeUpload(id: number, name: string): void {
  const upload = uploads.peek().find((candidate) => candidate.id === id)
  if (!upload) return
  change(id, { name })
  if (upload.uri === undefined) return
  const { content } = draftOf(upload.target)
  changeDraft(upload.target, { content: renameLink(content, upload.uri, name) })
}

/** Removes the uploads of a sent draft from the list. */
export function forgetUploads(sent: readonly Upload[]): void {
  const ids = new Set(sent.map(({ id }) => id))
  uploads.value = uploads.value.filter(({ id }) => !ids.has(id))
}

/** Makes the uploads of a draft those of another draft, to which the text was moved. */
export function moveUploads(from: Target, to: Target): void {
  const moved = new Set(uploadsOf(from))
  uploads.value = uploads.value.map((upload) => (moved.has(upload) ? { ...upload, target: to } : upload))
}

function startNextUploads(): void {
  const waiting = uploads.peek().filter(({ state }) => state === 'waiting')
  for (const upload of waiting.slice(0, maxAtOnce - requests.size)) void start(upload)
}

async function start({ id, file }: Upload): Promise<void> {
  const request = new AbortController()
  requests.set(id, request)
  change(id, { state: 'uploading' })
  try {
    const { uri } = await client.uploads.upload(
      { files: [{ name: file.name, bytes: file }] },
      { signal: request.signal, onProgress: (progress) => change(id, { progress }) },
    )
    await notePicture(file, uri)
    finish(id, uri)
  } catch (error) {
    if (!request.signal.aborted) change(id, { state: 'failed', reason: describeFailure(error) })
  }
  requests.delete(id)
  startNextUploads()
}

/** Returns why an upload failed. A proxy that refuses large files answers in another format than the server. */
function describeFailure(error: unknown): string {
  const { status, name, reason } = readRefusal(error)
  return status !== undefined && name === undefined ? t('upload.refused', { status }) : reason
}

function finish(id: number, uri: string): void {
  const upload = uploads.peek().find((candidate) => candidate.id === id)
  if (!upload) return
  change(id, { state: 'done', progress: 1, uri })
  const { content } = draftOf(upload.target)
  changeDraft(upload.target, { content: appendLink(content, linkTo(upload.name, uri)) })
}

function change(id: number, changes: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload))
}
