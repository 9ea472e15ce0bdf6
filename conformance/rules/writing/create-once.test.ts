import { describe, expect, it } from 'vitest'
import { openTestSession } from '../../testing/rule-tests.js'
import { createOnce } from './create-once.js'

describe('a create that is refused but makes an item', () => {
  it('is found again, so that the finding can be confirmed', async () => {
    const { session } = await openTestSession('directory', { mutant: 'create-refused-but-made', writes: true })
    const [site] = createOnce.sites(session)
    const [test] = site === undefined ? [] : (createOnce.cases(site, session).planned ?? [])
    if (site === undefined || test === undefined) throw new Error('Nothing can be created.')
    for (const _ of ['first', 'again'])
      expect(await createOnce.check(test, site, session)).toMatchObject({ kind: 'fail' })
  })
})
