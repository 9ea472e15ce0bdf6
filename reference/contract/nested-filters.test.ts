import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-service.js'
import { type BothEngines, openBoth } from '../testing/test-service.js'

describe('a deeply nested filter', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(sampleService(), sampleRecords(sampleRows(10)))
  })
  afterAll(() => both.stop())

  it.each<[start: string, step: string, end: string]>([
    ['score', '… div 2', ' gt 0'],
    ['score', '(3e0 div …)', ' gt 0'],
    ['score', '-(…)', ' gt 0'],
    ['score', 'round(… mul 2e0)', ' gt 0'],
    ['count', '… divby 2', ' gt 0'],
    ['count', '(3 divby …)', ' gt 0'],
    ['count', '(3 mod …)', ' gt 0'],
    ['count', '(3 sub …)', ' gt 0'],
    ['price', '… div 3', ' gt 0'],
    ['price', '(… mul price)', ' gt 0'],
    ['price', 'floor(…)', ' ge 0'],
    ['moment', "… add duration'P1D'", ' gt 2020-01-01T00:00:00Z'],
    ['moment', '(moment add (moment sub …))', ' gt 2020-01-01T00:00:00Z'],
    ['day', "… sub duration'P1D'", ' gt 2020-01-01'],
    ['span', '(… mul 2)', " gt duration'PT0S'"],
    ['flag', '(… eq flag)', ''],
    ['flag', '(… in (true,false))', ''],
    ['flag', '(not …)', ''],
    ['flag', '(… and (… or flag))', ''],
    ['note', 'substring(name,length(…))', " eq 'x'"],
    ['note', 'substring(…,count)', " eq 'x'"],
    ['note', 'substring(name,0,length(…))', " eq 'x'"],
    ['note', "concat(…,'x')", " in ('a','b',null)"],
    ['note', 'tolower(…)', " eq 'a'"],
    ['note', 'trim(…)', " eq 'a'"],
    ["endswith(note,'a')", "endswith(note,case(…:'a',true:'b'))", ''],
    ['true', 'parts/any(x:…)', ''],
    ['next', '…/next', '/name eq null'],
    ['next', '…/samples.sample/next', '/name eq null'],
  ])('%s in %s gets the same answer or refusal from both engines', async (start, step, end) => {
    for (const times of [1, 3, 8, 20, 60]) {
      let filter = start
      for (let count = 0; count < times && filter.length < 5_000; count++) filter = step.replaceAll('…', filter)
      const query = `/samples?$select=id&$filter=${encodeURIComponent(filter + end)}`
      const response = await both.services.sqlite.request(query)
      expect([200, 400, 501], `${filter} ${response.text}`).toContain(response.status)
      const other = await both.services.postgres.request(query)
      expect([other.status, other.text], filter).toEqual([response.status, response.text])
      if (times === 1) expect(response.status, response.text).toBe(200)
    }
  })
})
