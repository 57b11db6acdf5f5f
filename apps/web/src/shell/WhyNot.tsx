import type { PermissionAction } from '@oxbow/contract'
import { explainPermission, type Subject } from '../data/permissions.ts'
import { Why } from '../ui/Why.tsx'

export interface WhyNotProps {
  /** Names the refused action, for screen readers. */
  subject: string
  action: PermissionAction
  about?: Subject
}

/** A button that fetches why the user may not do something. */
export const WhyNot = ({ subject, action, about = {} }: WhyNotProps) => (
  <Why subject={subject} ask={() => explainPermission(action, about)} />
)
