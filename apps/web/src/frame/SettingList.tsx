import './SettingList.css'
import type { ComponentChildren } from 'preact'

/** A list of entries that can be removed one by one; each is an `<li class="SettingList-row">`. */
export const SettingList = ({ children }: { children: ComponentChildren }) => (
  <ul class="SettingList">{children}</ul>
)
