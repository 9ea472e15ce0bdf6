import { describe, expect, it } from 'vitest'
import { openTestSession } from '../testing/rule-tests.js'
import { responseCalibrators } from './calibrators.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

async function learned(choice: string, variant: string | undefined): Promise<unknown> {
  const context = await openTestSession('directory', { writes: true, ...(variant === undefined ? {} : { variant }) })
  const result = await responseCalibrators.find(each => each.choice === choice)?.learn(context.session)
  return result?.kind === 'learned' ? result.chosen[0]?.value : result?.kind
}

describe('how a service responds', () => {
  it.each<[choice: string, variant: string | undefined, value: string | number]>([
    ['unknownOption', undefined, 'error'],
    ['unknownOption', 'unknownOption-ignored', 'ignored'],
    ['unknownProperty', undefined, 'error'],
    ['unknownProperty', 'unknownProperty-ignored', 'ignored'],
    ['unsupportedQueryStatus', undefined, '4xx'],
    ['advancedQueryStatus', undefined, '4xx'],
    ['advancedConstructs', undefined, 'declared'],
    ['advancedConstructs', 'more-needs-the-header', 'more'],
    ['absentRelation', 'no-single-relation', 404],
    ['entityTag', undefined, 'weak'],
    ['entityTag', 'entityTag-strong', 'strong'],
    ['entityTag', 'entityTag-none', 'none'],
    ['membershipClosure', 'other-error-codes', 'transitive'],
    ['membershipClosure', 'membershipClosure-direct', 'direct'],
    ['queryLimits', undefined, 'declared'],
    ['createStatus', undefined, 201],
    ['createStatus', 'createStatus-200', 200],
    ['createStatus', 'createStatus-202', 202],
    ['updateStatus', undefined, 200],
    ['updateStatus', 'updateStatus-204', 204],
    ['deleteStatus', undefined, 204],
    ['deleteStatus', 'deleteStatus-200', 200],
    ['readYourWrites', undefined, 'immediate'],
  ])(
    'is learned: %s of %s is %s',
    async (choice, variant, value) => {
      expect(await learned(choice, variant)).toBe(value)
    },
    patience,
  )

  it.each([401, 403, 429, 503])(
    'is not decided by status %d: queryLimits',
    async status => {
      const { session } = await openTestSession('directory')
      const calibrator = responseCalibrators.find(({ choice }) => choice === 'queryLimits')
      const ask: typeof session.send = async wanted => ({ ...(await session.send(wanted)), status })
      expect(await calibrator?.learn({ ...session, send: ask })).toMatchObject({ kind: 'undecided' })
    },
    patience,
  )

  it(
    'is not decided by absent items',
    async () => {
      expect(await learned('advancedQueryStatus', 'no-filter')).toBe('4xx')
      const context = await openTestSession('directory')
      const result = await responseCalibrators.find(({ choice }) => choice === 'createStatus')?.learn(context.session)
      expect(result?.kind).toBe('undecided')
    },
    patience,
  )
})
