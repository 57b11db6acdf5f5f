import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')

const devicesOf = async ({ user_id }: Person) =>
  world.database.query(
    'select kind, token, app_id from device where user_id = $1 order by kind desc, token',
    [user_id],
  )
const apple = { kind: 'apple', token: 'c3RvbmU=', app_id: null }

test('a device that is registered repeatedly is stored once; removing it deletes the row', async () => {
  for (const node of ['a', 'b', 'a'] as const) await iris.on(node).devices.addApple({ token: 'c3RvbmU=' })
  await iris.devices.addApple({ token: 'cm9vdHM=', appid: 'org.example.garden' })
  await iris.devices.addAndroid({ token: 'c3RvbmU=' })

  assert.deepEqual(await devicesOf(iris), [
    apple,
    { kind: 'apple', token: 'cm9vdHM=', app_id: 'org.example.garden' },
    { kind: 'android', token: 'c3RvbmU=', app_id: null },
  ])
  await iris.devices.removeApple({ token: 'cm9vdHM=' })
  await iris.devices.removeAndroid({ token: 'c3RvbmU=' })
  assert.deepEqual(await devicesOf(iris), [apple])
})

test('a token registered by another account moves to that account', async () => {
  await iris.devices.addApple({ token: 'c3RvbmU=' })

  await otto.devices.addApple({ token: 'c3RvbmU=' })

  assert.deepEqual([await devicesOf(iris), await devicesOf(otto)], [[], [apple]])
  await assert.rejects(iris.devices.removeApple({ token: 'c3RvbmU=' }), refusal('Token does not exist'))
  assert.deepEqual(await devicesOf(otto), [apple])
})

test('a device token can be registered in two organizations independently', async () => {
  const { owner } = await world.addOrganization('hill')
  await otto.devices.addApple({ token: 'c3RvbmU=' })

  await owner.devices.addApple({ token: 'c3RvbmU=' })
  await owner.devices.removeApple({ token: 'c3RvbmU=' })

  assert.deepEqual(await devicesOf(otto), [apple])
})

test('invalid device tokens are refused', async () => {
  const paths = ['apns_device_token', 'android_gcm_reg_id']
  for (const method of ['POST', 'DELETE'])
    for (const path of paths) {
      const send = (token: string) => call(world, iris, `${method} /users/me/${path}`, { token })
      assert.deepEqual(await send(''), refusal('Empty or invalid length token'))
      assert.deepEqual(await send('x'.repeat(4_097)), refusal('Empty or invalid length token'))
    }
  for (const token of ['no base64', 'abc', 'ab=c', '===='])
    await assert.rejects(iris.devices.addApple({ token }), refusal('Invalid APNS token'))
  await assert.rejects(iris.devices.removeAndroid({ token: 'unknown' }), refusal('Token does not exist'))
})

test('a token of the maximum length is stored', async () => {
  const token = Array.from({ length: 4_096 }, () => Math.random().toString(36).at(-1)).join('')

  await iris.devices.addAndroid({ token })
  await iris.devices.addAndroid({ token })

  assert.equal((await devicesOf(iris)).length, 1)
  await iris.devices.removeAndroid({ token })
})

test('only the newest devices of an account are kept', async () => {
  const fern = await world.person('fern')
  for (let index = 0; index < 103; index++) await fern.devices.addAndroid({ token: `device ${index}` })

  const tokens = (await devicesOf(fern)).map(({ token }) => token)
  assert.equal(tokens.length, 100)
  assert.ok(!tokens.includes('device 2') && tokens.includes('device 3'))
})
