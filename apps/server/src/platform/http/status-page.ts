import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../html.ts'
import type { ComponentState, Components } from '../observe/monitor/components.ts'
import type { NodeMonitor, ObservedState } from '../observe/monitor/node-monitor.ts'
import { type PageContent, sendPage } from '../pages/send-page.ts'
import { rich, textsFor } from '../pages/texts.ts'
import { wantsPage } from './error-page.ts'
import type { Page } from './http-server.ts'

type Component = keyof Components
type States = ReturnType<NodeMonitor['listStates']>

/**
 * Serves the state of the server to anyone, without signing in. It is the view of one node, and contains
 * neither reasons of failures nor data of organizations. It reads only the memory of the node, so that it
 * works while PostgreSQL does not.
 */
export function statusPage(monitor: NodeMonitor): Page {
  return {
    path: '/status',
    name: 'status',
    anonymousLimit: 'never',
    handle: async (request, reply) => {
      const states = monitor.listStates()
      return wantsPage(request) ? sendPage(reply, describeStatus(request, states)) : sendJson(reply, states)
    },
  }
}

/** Without the database or events, nobody can use the server. */
const essential: readonly Component[] = ['database', 'events']

function judgeAll(states: States): ComponentState {
  const isDown = states.some(
    ({ component, observed }) => observed.state === 'down' && essential.includes(component),
  )
  if (isDown) return 'down'
  return states.every(({ observed }) => observed.state === 'working') ? 'working' : 'degraded'
}

function sendJson(reply: FastifyReply, states: States): FastifyReply {
  const components = Object.fromEntries(
    states.map(({ component, observed: { state, since } }) => [component, { state, since: since ?? null }]),
  )
  return reply.header('cache-control', 'no-store').send({ status: judgeAll(states), components })
}

const noticeOf = { working: 'Notice-success', degraded: 'Notice-warning', down: 'Notice-danger' } as const

function describeStatus(request: FastifyRequest, states: States): PageContent {
  const t = textsFor(request)
  const overall = judgeAll(states)
  const facts = states.map(
    ({ component, observed }) =>
      html`<dt>${t(`status.${component}`)}</dt><dd>${describeState(t, observed)}${describeEffect(t, component, observed)}</dd>`,
  )
  return {
    title: t(`status.title_${overall}`),
    content: html`<p class="Notice ${noticeOf[overall]}">${t(`status.text_${overall}`)}</p>
      ${facts.length > 0 && html`<dl class="Page-facts">${facts}</dl>`}
      <p><a href="/">${t('error.start')}</a></p>`,
  }
}

function describeState(t: Translate, { state, since }: ObservedState): Html {
  const text = t(`status.state_${state}`)
  return since ? html`${text} ${rich(t, 'status.since', { time: formatTime(t, since) })}` : html`${text}`
}

function describeEffect(t: Translate, component: Component, { state }: ObservedState): Html | false {
  return state !== 'working' && html`<br>${t(`status.${component}_effect`)}`
}

function formatTime({ language }: Translate, time: Date): Html {
  const text = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(time)
  return html`<time datetime="${time.toISOString()}">${text} UTC</time>`
}
