import './UploadTiles.css'
import type { Target } from '../client/conversations/target.ts'
import { formatSize } from '../client/formats/sizes.ts'
import {
  describeUpload,
  removeUpload,
  retryUpload,
  type Upload,
  uploadsOf,
} from '../client/writing/uploads.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

/** The files of a draft, with their progress. `onRemove` is called after the user removed one. */
export function UploadTiles({ target, onRemove }: { target: Target; onRemove: () => void }) {
  const uploads = uploadsOf(target)
  if (uploads.length === 0) return null
  return (
    <ul class="UploadTiles" aria-label={t('upload.files')}>
      {uploads.map((upload) => (
        <li key={upload.id}>
          <Tile
            upload={upload}
            onRemove={() => {
              removeUpload(upload.id)
              onRemove()
            }}
          />
        </li>
      ))}
    </ul>
  )
}

function Tile({ upload, onRemove }: { upload: Upload; onRemove: () => void }) {
  const { id, file, state, progress, reason, name } = upload
  const isPicture = file.type.startsWith('image/')
  return (
    <div class="UploadTiles-tile" data-state={state}>
      <Icon name={isPicture ? 'image' : 'file'} />
      <div class="UploadTiles-text">
        <span class="Cut UploadTiles-name">
          <bdi>{file.name}</bdi>
        </span>
        {state === 'failed' ? (
          <span class="UploadTiles-reason" role="alert">
            {reason}
          </span>
        ) : state === 'done' && isPicture ? (
          <input
            class="UploadTiles-description"
            type="text"
            placeholder={t('upload.describe')}
            aria-label={t('upload.describe_picture', { name: file.name })}
            value={name === file.name ? '' : name}
            onInput={({ currentTarget }) => describeUpload(id, currentTarget.value || file.name)}
          />
        ) : (
          <span class="UploadTiles-size">{formatSize(file.size)}</span>
        )}
        {(state === 'waiting' || state === 'uploading') && (
          <progress value={progress} aria-label={t('upload.progress', { name: file.name })} />
        )}
      </div>
      {state === 'failed' && (
        <IconButton
          icon="rotate-ccw"
          label={t('upload.retry', { name: file.name })}
          onClick={() => retryUpload(id)}
        />
      )}
      <IconButton icon="x" label={t('upload.remove', { name: file.name })} onClick={onRemove} />
    </div>
  )
}
