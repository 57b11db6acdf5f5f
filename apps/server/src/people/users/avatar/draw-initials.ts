import { getInitials, getInitialsColors } from '@oxbow/contract'

/**
 * Returns an SVG picture with the initials of a name, on a colour that depends only on the id. The
 * picture contains only letters and numbers of the name, so a name cannot inject markup.
 */
export function drawInitials({ id, full_name }: { id: number; full_name: string }): string {
  const { start, end } = getInitialsColors(id)
  const initials = getInitials(full_name)
  const size = [...initials].length > 1 ? 40 : 48
  const picture = initials
    ? `<text x="50" y="50" dy=".36em" text-anchor="middle" font-family="Inter,'Helvetica Neue',Helvetica,Arial,'Noto Sans',sans-serif" font-size="${size}" font-weight="600" fill="#fff">${initials}</text>`
    : '<circle cx="50" cy="40" r="17" fill="#fff"/><path d="M18 92a32 32 0 0 1 64 0z" fill="#fff"/>'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="500" height="500"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${start}"/><stop offset="1" stop-color="${end}"/></linearGradient></defs><rect width="100" height="100" fill="url(#g)"/>${picture}</svg>`
}
