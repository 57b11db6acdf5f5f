import type { PermissionAction } from '@oxbow/contract'
import { explainPermission, type Subject } from '../client/permissions.ts'
import { Why } from '../ui/Why.tsx'

export interface WhyNotProps {
  /** The refused action, named for screen readers. */
  subject: string
  action: PermissionAction
  about?: Subject
}

/** A button that fetches and shows why the user may not do something. */
export const WhyNot = ({ subject, action, about = {} }: WhyNotProps) => (
  <Why subject={subject} ask={() => explainPermission(action, about)} />
)
