import { answerParent } from '../answer-parent.ts'
import { drawAll, type PictureWish } from './draw.ts'

answerParent(({ bytes, wishes }: { bytes: Uint8Array; wishes: PictureWish[] }) => drawAll(bytes, wishes))
