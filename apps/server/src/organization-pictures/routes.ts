import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { clearIcon, clearLogo, setIcon, setLogo } from './change-picture.ts'

export const organizationPictureRoutes: Routes<typeof api.organizationPictures> = {
  setIcon,
  clearIcon,
  setLogo,
  clearLogo,
}
