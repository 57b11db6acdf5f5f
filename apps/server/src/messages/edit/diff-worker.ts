import { diffHtml } from '@oxbow/markdown'
import { serveParentThread } from '../../platform/threads/serve-parent-thread.ts'
import type { Versions } from './diff-versions.ts'

serveParentThread(({ before, after }: Versions) => diffHtml(before, after))
