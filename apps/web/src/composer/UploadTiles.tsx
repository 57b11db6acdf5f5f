import './UploadTiles.css'
import type { Target } from '../data/target.ts'
import { describeUpload, removeUpload, retryUpload, type Upload, uploadsOf } from '../data/uploads.ts'
import { formatSize } from '../text/sizes.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

/** The files of a draft, with their progress. */
export function UploadTiles({ target }: { target: Target }) {
  const uploads = uploadsOf(target)
  if (uploads.length === 0) return null
  return (
    <ul class="UploadTiles" aria-label={t('upload.files')}>
      {uploads.map((upload) => (
        <li key={upload.id}>
          <Tile upload={upload} />
        </li>
      ))}
    </ul>
  )
}

function Tile({ upload }: { upload: Upload }) {
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
      <IconButton icon="x" label={t('upload.remove', { name: file.name })} onClick={() => removeUpload(id)} />
    </div>
  )
}
