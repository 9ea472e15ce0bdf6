import { expect, it } from 'vitest'
import { createReplicaMonitor, type LogPosition } from './replica.js'

const at = (position: number, mark = 'store 1'): LogPosition => ({ position: BigInt(position), mark })

/** A primary and a replica with the given positions, and the questions that they got. */
function pair(primary: LogPosition, replica: LogPosition | Error, milliseconds = 0) {
  const state = { primary, replica, questions: 0 }
  const monitor = createReplicaMonitor({
    position: async () => {
      state.questions += 1
      return state.primary
    },
    replayed: async () => {
      if (state.replica instanceof Error) throw state.replica
      return state.replica
    },
    milliseconds,
  })
  return { state, monitor }
}

it.each<[does: string, primary: LogPosition, replica: LogPosition | Error, answers: boolean]>([
  ['answers at the position of the primary', at(7), at(7), true],
  ['answers beyond the position that was asked for', at(7), at(9), true],
  ['does not answer before that position', at(7), at(6), false],
  ['does not answer on another timeline', at(7, 'store 2'), at(9), false],
  ['does not answer if it is a copy of another store', at(7), at(9, 'other 1'), false],
  ['does not answer if it is away', at(7), new Error('away'), false],
])('a replica %s', async (_, primary, replica, answers) => {
  const { monitor } = pair(primary, replica)
  expect(await monitor.isCurrent()).toBe(answers)
  expect(monitor.isDegraded()).toBe(!answers)
  monitor.close()
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
