export interface Account {
  user_id: number
  email: string
  api_key: string
}
