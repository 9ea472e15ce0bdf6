import { expect, it } from 'vitest'
import { createReplicaMonitor, type LogPosition, type ReplicaMonitor } from './replica.js'

const at = (position: number, mark = 'store 1'): LogPosition => ({ position: BigInt(position), mark })

/** A primary and a replica with the given positions, and the questions that they got. */
function pair(primary: LogPosition, replica: LogPosition | Error | 'silent', milliseconds = 0) {
  const state = { primary, replica, questions: 0, disconnections: 0 }
  const monitor = createReplicaMonitor({
    position: async () => {
      state.questions += 1
      return state.primary
    },
    replayed: async () => {
      if (state.replica instanceof Error) throw state.replica
      while (state.replica === 'silent') await new Promise(resolve => setImmediate(resolve))
      return state.replica
    },
    milliseconds,
    disconnect: () => {
      state.disconnections += 1
    },
    silence: 20,
  })
  return { state, monitor }
}

it.each<[does: string, primary: LogPosition, replica: LogPosition | Error | 'silent', answers: boolean]>([
  ['answers at the position of the primary', at(7), at(7), true],
  ['answers beyond the position that was asked for', at(7), at(9), true],
  ['does not answer before that position', at(7), at(6), false],
  ['does not answer on another timeline', at(7, 'store 2'), at(9), false],
  ['does not answer if it is a copy of another store', at(7), at(9, 'other 1'), false],
  ['does not answer if it is away', at(7), new Error('away'), false],
  ['does not answer if it is silent, as on a stopped machine', at(7), 'silent', false],
])('a replica %s', async (_, primary, replica, answers) => {
  const { state, monitor } = pair(primary, replica)
  expect(await monitor.isCurrent()).toBe(answers)
  expect(monitor.isDegraded()).toBe(!answers)
  monitor.close()
  if (state.replica === 'silent') state.replica = at(7)
})

it('a read waits for a replica that is behind', async () => {
  const { state, monitor } = pair(at(7), at(6), 60_000)
  const current = monitor.isCurrent()
  state.replica = at(7)
  expect(await current).toBe(true)
  monitor.close()
})

it('reads that come at the same time share one question, and a later one asks again', async () => {
  const { state, monitor } = pair(at(7), at(7))
  const first = monitor.isCurrent()
  await Promise.resolve()
  const others = [monitor.isCurrent(), monitor.isCurrent(), monitor.isCurrent()]
  state.primary = at(8)
  state.replica = at(8)
  expect(await Promise.all([first, ...others])).toEqual([true, true, true, true])
  expect(state.questions).toBe(2)
  monitor.close()
})

it('a replica that was away gets reads again when it has caught up', async () => {
  const { state, monitor } = pair(at(7), new Error('away'))
  expect(await monitor.isCurrent()).toBe(false)
  state.replica = at(7)
  while (monitor.isDegraded()) await new Promise(resolve => setImmediate(resolve))
  expect(await monitor.isCurrent()).toBe(true)
  monitor.close()
})

it.each<[by: string, find: (monitor: ReplicaMonitor) => Promise<unknown>]>([
  ['another read', monitor => monitor.isCurrent()],
  ['a health check', monitor => monitor.check()],
  ['itself', () => Promise.resolve()],
])('a read on a replica that falls silent is given up: noticed by %s', async (_, find) => {
  const { state, monitor } = pair(at(7), at(7))
  expect(await monitor.isCurrent()).toBe(true)
  const reading = monitor.during(new Promise(() => undefined))
  state.replica = 'silent'
  state.primary = at(8)
  await find(monitor)
  await expect(reading).rejects.toMatchObject({ kind: 'unavailable' })
  expect(monitor.isDegraded()).toBe(true)
  expect(state.disconnections).toBeGreaterThan(0)
  // The health check does not wait for it again.
  await monitor.check()
  state.replica = at(8)
  while (monitor.isDegraded()) await new Promise(resolve => setImmediate(resolve))
  expect(await monitor.isCurrent()).toBe(true)
  monitor.close()
})
