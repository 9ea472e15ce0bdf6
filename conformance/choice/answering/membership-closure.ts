import { callAsk } from '../../rules/operations/call-ask.js'
import { callResult } from '../../rules/operations/call-result.js'
import { drawnArguments } from '../../rules/operations/drawn-arguments.js'
import { predicted, shownAs } from '../../rules/operations/predicted.js'
import { queriedCalls } from '../../rules/operations/queried-call.js'
import { related } from '../../rules/operations/related.js'
import { setOf } from '../../rules/operations/relation-graph.js'
import { witnessed } from './legal-value.js'

export const membershipClosure = witnessed(
  'membershipClosure',
  'no membership was seen that goes through another',
  async session => {
    for (const call of queriedCalls(session)) {
      if (!call.meaning.transitive) continue
      const set = setOf(call.meaning.of.type, session)
      const rows = set === undefined ? [] : (session.snapshot(set)?.rows ?? [])
      const [given] = drawnArguments(call, rows)
      const ask = given === undefined ? undefined : callAsk(call, given)
      if (given === undefined || ask === undefined) continue
      const from = await related(call, session)
      const [all, direct] = (from?.readings ?? []).map(keys => {
        return from === undefined ? new Set<string>() : predicted(call, given, keys, from, session).must
      })
      if (all === undefined || direct === undefined || all.size === direct.size) return []
      const result = await callResult(ask, session)
      if (result.kind === 'other') continue
      const shown = new Set(result.values.map(value => shownAs(value, call)))
      if (![...direct].every(value => shown.has(value))) return []
      const behind = [...all].filter(value => !direct.has(value))
      const found = behind.filter(value => shown.has(value)).length
      if (found > 0 && found < behind.length) return []
      const name = call.endpoint.operation.name
      const text = `${name} gave ${found} of ${behind.length} that are reached through another`
      return [{ shown: found === 0 ? 'direct' : 'transitive', text }]
    }
    return []
  },
  ['expandedItems'],
)
