import { describe, expect, it } from 'vitest'
import { evaluateText } from '../testing/evaluate-text.js'
import { EvaluationError } from './value.js'

describe('arithmetic', () => {
  it.each([
    ['1 add 2', 3],
    ['5 sub 7', -2],
    ['2.5 mul 2', 5],
    ['7 div 2', 3],
    ['-7 div 2', -3],
    ['7.0 div 2', 3.5],
    ['7 divby 2', 3.5],
    ['7 mod 3', 1],
    ['-7 mod 3', -1],
    ['7 mod -3', 1],
    ['5.5 mod 2', 1.5],
    ['1 add 2 mul 3', 7],
    ['(1 add 2) mul 3', 9],
    ['10 sub 4 sub 3', 3],
    ['9007199254740993 add 0', '9007199254740993'],
    ['99999999999999999999 mul 10', '999999999999999999990'],
    ['0.1 add 0.2', 0.3],
    ['1 divby 3 mul 3 lt 1', true],
    ['1 divby 0', 'INF'],
    ['-1 divby 0', '-INF'],
    ['0 divby 0', 'NaN'],
    ['1e0 div 0', 'INF'],
    ['0e0 div 0', 'NaN'],
    ['-(1 add 2)', -3],
    ['-1.5e0', -1.5],
    ['- 5', -5],
    ["-duration'P1D'", '-P1D'],
    ["2024-01-31 add duration'P1D'", '2024-02-01'],
    ["2024-03-01 sub duration'P1D'", '2024-02-29'],
    ["2024-03-01 add duration'PT23H'", '2024-03-01'],
    ["2024-03-01 sub duration'PT1H'", '2024-02-29'],
    ['2024-03-01 sub 2024-02-01', 'P29D'],
    ["2024-01-01T00:00:00Z add duration'PT1.5S'", '2024-01-01T00:00:01.5Z'],
    ["2024-01-01T00:00:00+02:00 sub duration'PT1H'", '2023-12-31T23:00:00+02:00'],
    ['2024-01-01T00:00:00Z sub 2023-12-31T00:00:00Z', 'P1D'],
    ["duration'PT1H' add duration'PT30M'", 'PT1H30M'],
    ["duration'PT1H' mul 2", 'PT2H'],
    ["1.5 mul duration'PT1H'", 'PT1H30M'],
    ["duration'PT1H' div 2", 'PT30M'],
    ["duration'PT1H' sub duration'PT1H'", 'PT0S'],
  ])('%s is %s', (text, expected) => {
    expect(evaluateText(text)).toBe(expected)
  })

  it.each([
    ['1 div 0'],
    ['1.5 div 0'],
    ['1 mod 0'],
    ['1e0 mod 0'],
    ["'x' add 1"],
    ['true add 1'],
    ["-'x'"],
    ['-true'],
    ['2024-01-01 add 1'],
    ["2024-01-01 mul duration'P1D'"],
    ["duration'P1D' mod 2"],
    ["duration'P1D' div 0"],
    ["duration'P1D' mul INF"],
    ["09:30:00 add duration'PT1H'"],
  ])('rejects %s', text => {
    expect(() => evaluateText(text)).toThrow(EvaluationError)
  })
})
