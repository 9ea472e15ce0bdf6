import type { ts as Ts } from 'ts-morph'

/** The line of an offset, from 1. */
export function lineOf(file: Ts.SourceFile, offset: number): number {
  return file.getLineAndCharacterOfPosition(offset).line + 1
}
