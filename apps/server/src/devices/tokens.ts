import { ApiError } from '@oxbow/contract'

const maxTokenCharacters = 4_096

export function checkAndroidToken(token: string): void {
  if (token === '' || token.length > maxTokenCharacters) throw new ApiError('DEVICE_TOKEN_LENGTH')
}

/** Checks an Apple token, which is base64. */
export function checkAppleToken(token: string): void {
  checkAndroidToken(token)
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(token))
    throw new ApiError('APPLE_TOKEN_INVALID')
}
