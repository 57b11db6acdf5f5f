import type { StreamKind } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'

/** Returns the kind of a stream in words, for people who do not see its icon. */
export const kindText = (kind: StreamKind): string => {
  if (kind === 'private') return t('nav.private_stream')
  return kind === 'announcement' ? t('nav.announcement') : t('nav.public')
}
