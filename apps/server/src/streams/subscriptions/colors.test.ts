import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamColors as palette } from '@oxbow/contract'
import { takeColor, type UsedColors } from './colors.ts'

test('takeColor returns the first unused colour, and repeats colours in order when all are used', () => {
  const used: UsedColors = { colors: new Set(['#76ce90', '#123456', '#a6c7e5']), streams: 3 }

  assert.deepEqual([takeColor(used), takeColor(used)], ['#fae589', '#e79ab5'])

  const all: UsedColors = { colors: new Set(palette), streams: 30 }
  assert.deepEqual([takeColor(all), takeColor(all)], [palette[6], palette[7]])
})
