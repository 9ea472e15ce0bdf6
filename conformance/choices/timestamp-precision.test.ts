import { describe, expect, it } from 'vitest'
import { openTestSession } from '../testing/rule-tests.js'
import { timestampPrecision } from './timestamp-precision.js'

/**
 * What is learned of the messages of a service whose filters compare times that are so many milliseconds before those that it shows.
 *
 * @param after what stands before the times that this holds for: an operator
 */
async function learned(milliseconds: number, after = ''): Promise<ReadonlySet<unknown>> {
  const { session } = await openTestSession('directory')
  const moved = (text: string): string =>
    decodeURIComponent(text).replace(/(\w+ )(\d{4}-\d\d-\d\dT[\d:.]+Z)/g, (whole, operator: string, time: string) =>
      operator.startsWith(after) ? `${operator}${new Date(Date.parse(time) + milliseconds).toISOString()}` : whole,
    )
  const list: typeof session.list = (request, options) => {
    const { rawQuery } = request
    if (rawQuery === undefined) return session.list(request, options)
    const [name = '', ...filter] = moved(rawQuery).split('=')
    return session.list({ ...request, rawQuery: `${name}=${encodeURIComponent(filter.join('='))}` }, options)
  }
  const result = await timestampPrecision.learn({ ...session, list })
  if (result.kind !== 'learned') return new Set([result.kind])
  const ofMessages = result.chosen.filter(({ scope }) => scope === undefined || scope === 'me/messages')
  return new Set(ofMessages.map(({ value }) => value))
}

describe('the precision of timestamps', () => {
  it.each([
    ['shown, if filters find the timestamps as they are shown', 0, ['shown']],
    ['finer, if filters find them nearby', 400, ['finer']],
    ['shown, if filters find them elsewhere', 1000, ['shown']],
    ['shown, if filters find them long before', -3_600_000, ['shown']],
  ] as const)('is %s', async (_, milliseconds, expected) => {
    expect([...(await learned(milliseconds))]).toEqual(expected)
  })

  it('is shown, if only eq does not find them', async () => {
    expect([...(await learned(3_600_000, 'eq '))]).toEqual(['shown'])
  })
})
