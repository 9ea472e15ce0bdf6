import type { CaseCorrection, CaseDifference } from '../dialect/postgres-dialect.js'
import type { SqlRow } from './sql-value.js'

/** Runs a query without parameters. */
export type RunQuery = (sql: string) => Promise<readonly SqlRow[]>

const firstOutsideAscii = 0x80
const lastWithCase = 0x1_ff_ff

/**
 * Finds the characters whose letter case the server knows otherwise than JavaScript does: its ICU may be of another
 * Unicode version. Both engines fold text alike once these are corrected.
 *
 * @throws when the server was built without ICU, or the database is not in UTF-8
 */
export async function findCaseCorrection(run: RunQuery): Promise<CaseCorrection> {
  return {
    lower: await differences(run, 'lower', character => character.toLowerCase()),
    upper: await differences(run, 'upper', character => character.toUpperCase()),
  }
}

async function differences(
  run: RunQuery,
  name: 'lower' | 'upper',
  fold: (character: string) => string,
): Promise<readonly CaseDifference[]> {
  const rows = await run(
    `SELECT code, ${name}(chr(code) COLLATE "und-x-icu") FROM generate_series(${firstOutsideAscii}, ${lastWithCase}) AS t(code)
     WHERE code NOT BETWEEN 55296 AND 57343 AND ${name}(chr(code) COLLATE "und-x-icu") <> chr(code)`,
  )
  const folded = new Map(rows.map(([code, text]) => [Number(code), String(text)]))
  const found: CaseDifference[] = []
  for (let code = firstOutsideAscii; code <= lastWithCase; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const to = fold(character)
    const from = folded.get(code) ?? character
    if (from !== to) found.push({ from, to })
  }
  return found
}
