import { answerParent } from '../answer-parent.ts'
import { drawPictures, type PictureSpec } from './draw.ts'

answerParent(({ bytes, specs }: { bytes: Uint8Array; specs: PictureSpec[] }) => drawPictures(bytes, specs))
