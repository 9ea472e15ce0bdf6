import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineEdits, unifiedDiff } from './diff.js'

const lines = (...all: readonly string[]) => all.map(line => `${line}\n`).join('')

/** Applies a diff the strict way: every context and removed line must be there. */
function patch(before: string, diff: string): string {
  const source = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const result: string[] = []
  let next = 0
  const body = diff.split('\n').slice(2, -1)
  body.forEach((line, index) => {
    const range = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line)
    if (range) {
      const from = range[2] === '0' ? Number(range[1]) : Number(range[1]) - 1
      while (next < from) result.push(source[next++]!)
      return
    }
    const text = line.slice(1) + (body[index + 1]?.startsWith('\\') ? '' : '\n')
    if (line.startsWith('+')) result.push(text)
    else if (line.startsWith('-') || line.startsWith(' ')) {
      expect(source[next++]).toBe(text)
      if (line.startsWith(' ')) result.push(text)
    }
  })
  return result.join('') + source.slice(next).join('')
}

const someText = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 }), fc.boolean())
  .map(([all, ended]) => all.join('\n') + (ended && all.length > 0 ? '\n' : ''))

describe('unifiedDiff', () => {
  it.each([
    ['nothing for equal texts', 'a\n', 'a\n', ''],
    ['a line changed', lines('a', 'b', 'c'), lines('a', 'x', 'c'), '--- o\n+++ n\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n'],
    ['a file created', '', lines('a', 'b'), '--- o\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n'],
    ['a file deleted', 'a\n', '', '--- o\n+++ n\n@@ -1 +0,0 @@\n-a\n'],
    ['a newline missing at the end', 'a', 'a\n', '--- o\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n'],
    [
      'three lines of context, and two hunks where they are further apart',
      lines('1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13'),
      lines('1', '2', '3', '4', 'x', '6', '7', '8', '9', '10', '11', '12', 'y'),
      '--- o\n+++ n\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n@@ -10,4 +10,4 @@\n 10\n 11\n 12\n-13\n+y\n',
    ],
  ])('shows %s', (_, before, after, diff) => {
    expect(unifiedDiff('o', 'n', before, after)).toBe(diff)
  })

  it('turns the old text into the new one if applied', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        expect(patch(before, unifiedDiff('o', 'n', before, after))).toBe(after)
      }),
    )
  })
})

describe('lineEdits', () => {
  it('is as short as the longest common subsequence allows', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const kept = lineEdits(before, after).filter(edit => edit.kind === 'keep').length
        expect(kept).toBe(longestCommon(before, after))
      }),
    )
  })

  it('replaces the whole difference of two large texts', () => {
    const old = Array.from({ length: 5_000 }, (_, index) => `old ${index}`)
    const edits = lineEdits(['head', ...old, 'tail'], ['head', ...old.map(line => `new ${line}`), 'tail'])
    expect(edits).toHaveLength(10_002)
    expect(edits.filter(edit => edit.kind === 'keep').map(edit => edit.line)).toEqual(['head', 'tail'])
  })
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const [first, ...rest] = a
  if (first === undefined || b.length === 0) return 0
  const at = b.indexOf(first)
  const without = longestCommon(rest, b)
  return at < 0 ? without : Math.max(without, 1 + longestCommon(rest, b.slice(at + 1)))
}
