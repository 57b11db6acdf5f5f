const names = new Set([
  'chatandroid',
  'chatios',
  'chatdesktop',
  'chatmobile',
  'chatelectron',
  'chatterminal',
  'snipe',
  'website',
  'ios',
  'android',
])

/** Whether someone sits before the program, who has read what they wrote. What a script sends is unread for its account. */
export function isHumanClient(client: string): boolean {
  const name = client.toLowerCase()
  return names.has(name) || name.includes('desktop app')
}
