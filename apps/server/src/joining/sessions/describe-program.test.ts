import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProgram } from './describe-program.ts'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

const programs: [userAgent: string, description: string][] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/148.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} CriOS/148.0 Mobile Safari/604.1`,
    'Chrome on iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 16; K) ${blink} Chrome/148.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['curl/8.14.1', 'curl'],
  ['Mozilla/5.0', 'Unknown program'],
  ['', 'Unknown program'],
  ['<script>alert(1)</script>', 'Unknown program'],
  [`${'x'.repeat(300)}/1`, 'x'.repeat(40)],
]

for (const [userAgent, description] of programs)
  test(`the program "${userAgent.slice(0, 60)}" is described as ${description}`, () => {
    assert.equal(describeProgram(userAgent), description)
  })
