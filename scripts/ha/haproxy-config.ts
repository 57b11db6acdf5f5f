import type { Member } from './member.ts'

/**
 * Returns the configuration of HAProxy. It cuts the sessions of a member that is no longer the leader, so that
 * nodes connect to the new one at once. Idle sessions stay open, because nodes listen and hold locks in them.
 */
export const haproxyConfig = (port: number, members: readonly Member[]): string => `
global
  maxconn 2000
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 24h
  timeout server 24h
  timeout check 3s
  option clitcpka
  option srvtcpka
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.api}`).join('\n')}
`
