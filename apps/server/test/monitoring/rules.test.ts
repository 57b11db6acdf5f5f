import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isInstalled } from '@oxbow/testkit'
import { rulesFile } from '@oxbow/testkit/monitoring/monitoring-files'

const skip = isInstalled('prometheus') ? false : 'prometheus is not installed: apt-get install prometheus'
const root = join(import.meta.dirname, '..', '..', '..', '..')
const rules = readFileSync(rulesFile, 'utf8')

interface Rule {
  name: string
  severity: string
  runbook: string
}

const listRules = (): Rule[] =>
  rules
    .split('- alert: ')
    .slice(1)
    .map((text) => ({
      name: /^\w+/.exec(text)?.[0] ?? '',
      severity: /severity: (\w+)/.exec(text)?.[1] ?? '',
      runbook: /runbook: (\S+)/.exec(text)?.[1] ?? '',
    }))

/** Returns the anchor that a heading has on the page. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-')

test('every alert has a severity, and the runbook section that it links to mentions the alert', () => {
  const listed = listRules()
  assert.ok(listed.length >= 19)
  for (const { name, severity, runbook } of listed) {
    assert.match(severity, /^(page|ticket)$/, name)
    const [page = '', anchor = ''] = runbook.split('#')
    const sections = readFileSync(join(root, page), 'utf8').split(/^## /m).slice(1)
    const section = sections.find((text) => toAnchor(text.slice(0, text.indexOf('\n'))) === anchor)
    assert.ok(section, `${name} names a section that does not exist: ${runbook}`)
    assert.ok(section.includes(`\`${name}\``), `${runbook} does not mention ${name}`)
  }
})

test('every alert that the runbook mentions has a rule', () => {
  const names = new Set(listRules().map(({ name }) => name))
  const page = readFileSync(join(root, 'docs', 'operating', 'runbook.md'), 'utf8')
  const mentioned = [...page.matchAll(/`(Oxbow[A-Z]\w+)`/g)].map(([, name]) => name ?? '')
  assert.deepEqual(new Set(mentioned).difference(names), new Set())
})

/** Files with tests that cause real faults, and wait until the alert fires and ends. */
const faultTests = [
  'apps/server/test/monitoring/alerts.test.ts',
  'apps/server/test/monitoring/queries.test.ts',
  'apps/cli/test/process-alerts.test.ts',
]

test('every alert is named in a test that causes its fault', () => {
  const texts = faultTests.map((path) => readFileSync(join(root, path), 'utf8'))
  const untested = listRules().filter(({ name }) => !texts.some((text) => text.includes(`'${name}'`)))
  assert.deepEqual(
    untested.map(({ name }) => name),
    [],
  )
})

/**
 * Alerts whose faults only the long lane causes. Each must fire for its `series`, and must not fire
 * for its `quiet` series.
 */
const cases = [
  {
    alert: 'OxbowEventLogNearlyFull',
    series: {
      'oxbow_events_log_bytes{instance="a"}': '80x30',
      'oxbow_events_log_limit_bytes{instance="a"}': '100x30',
    },
    quiet: {
      'oxbow_events_log_bytes{instance="a"}': '70x30',
      'oxbow_events_log_limit_bytes{instance="a"}': '100x30',
    },
    labels: { instance: 'a' },
    summary: 'The event log has 80% of its maximum size.',
  },
  {
    alert: 'OxbowScheduledMessagesLate',
    series: { 'oxbow_scheduled_messages_oldest_due_seconds{instance="a"}': '180x30' },
    quiet: { 'oxbow_scheduled_messages_oldest_due_seconds{instance="a"}': '100x30' },
    labels: {},
    summary: 'The oldest due scheduled message waits for 3m 0s.',
  },
  {
    alert: 'OxbowStandbyLate',
    series: { 'oxbow_database_standby_lag_seconds{instance="a"}': '90x30' },
    quiet: { 'oxbow_database_standby_lag_seconds{instance="a"}': '50x30' },
    labels: {},
    summary: 'The slowest standby is 1m 30s behind.',
  },
  {
    alert: 'OxbowStandbyMissing',
    series: {
      'oxbow_database_standbys{instance="a"}': '2x14 1x15',
      'oxbow_database_standbys{instance="b"}': '2x14 1x15',
    },
    // A backup of PostgreSQL that looks like a standby, and a node that has just started.
    quiet: {
      'oxbow_database_standbys{instance="a"}': '1x9 2x6 1x14',
      'oxbow_database_standbys{instance="b"}': '_x20 1x9',
    },
    labels: {},
    summary: 'A standby is gone. Standbys that still follow the database: 1.',
  },
  {
    alert: 'OxbowStandbyMissing',
    series: { 'oxbow_database_standbys{instance="a"}': '1x14 0x15' },
    quiet: { 'oxbow_database_standbys{instance="a"}': '0x30' },
    labels: {},
    summary: 'A standby is gone. Standbys that still follow the database: 0.',
  },
  {
    alert: 'OxbowEventLoopSlow',
    series: { 'nodejs_eventloop_lag_p99_seconds{instance="a",job="oxbow"}': '2x30' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{instance="a",job="oxbow"}': '0.1x30' },
    labels: { instance: 'a', job: 'oxbow' },
    summary: 'The node a is busy for 2s at a time.',
  },
  {
    alert: 'OxbowProcessCrashes',
    series: { 'oxbow_processes_replaced_total{instance="a",job="oxbow"}': '0+1x30' },
    quiet: { 'oxbow_processes_replaced_total{instance="a",job="oxbow"}': '0x15 1x5 2x10' },
    labels: { instance: 'a', job: 'oxbow' },
    summary: 'Processes of a ended by themselves and were started again 15 times in 15 minutes.',
  },
  {
    alert: 'OxbowRequestsRefused',
    series: { 'oxbow_rate_limited_total{instance="a"}': '0+1200x30' },
    quiet: { 'oxbow_rate_limited_total{instance="a"}': '0+60x30' },
    labels: {},
    summary: '20 requests a second are refused by the rate limit.',
  },
]

test('promtool accepts the rules, and alerts fire only beyond their limits', { skip }, () => {
  execFileSync('promtool', ['check', 'rules', rulesFile], { stdio: 'pipe' })
  const listed = listRules()
  const inputs = (series: Record<string, string>) =>
    Object.entries(series).map(([name, values]) => ({ series: name, values }))
  const tests = cases.flatMap(({ alert, series, quiet, labels, summary }) => {
    const rule = listed.find(({ name }) => name === alert)
    const expected = {
      exp_labels: { severity: rule?.severity, ...labels },
      exp_annotations: { summary, runbook: rule?.runbook },
    }
    const at = (alerts: object[]) => [{ eval_time: '25m', alertname: alert, exp_alerts: alerts }]
    return [
      { interval: '1m', input_series: inputs(series), alert_rule_test: at([expected]) },
      { interval: '1m', input_series: inputs(quiet), alert_rule_test: at([]) },
    ]
  })
  const folder = mkdtempSync(join(tmpdir(), 'oxbow-rules-'))
  try {
    const file = join(folder, 'test.yml')
    // JSON is also valid YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], tests }))
    execFileSync('promtool', ['test', 'rules', file], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
