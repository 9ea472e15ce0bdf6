/** What an expression may be on each of many rows: a bit a row, for each of true, false and null. */
export interface Vector {
  readonly mayBeTrue: bigint
  readonly mayBeFalse: bigint
  readonly mayBeNull: bigint
}

export function bothVectors(a: Vector, b: Vector): Vector {
  return {
    mayBeTrue: a.mayBeTrue & b.mayBeTrue,
    mayBeFalse: a.mayBeFalse | b.mayBeFalse,
    mayBeNull: (a.mayBeNull & (b.mayBeTrue | b.mayBeNull)) | (b.mayBeNull & (a.mayBeTrue | a.mayBeNull)),
  }
}

export function negatedVector({ mayBeTrue, mayBeFalse, mayBeNull }: Vector): Vector {
  return { mayBeTrue: mayBeFalse, mayBeFalse: mayBeTrue, mayBeNull }
}

export function eitherVector(a: Vector, b: Vector): Vector {
  return {
    mayBeTrue: a.mayBeTrue | b.mayBeTrue,
    mayBeFalse: a.mayBeFalse & b.mayBeFalse,
    mayBeNull: (a.mayBeNull & (b.mayBeFalse | b.mayBeNull)) | (b.mayBeNull & (a.mayBeFalse | a.mayBeNull)),
  }
}

export function isSameVector(a: Vector, b: Vector): boolean {
  return a.mayBeTrue === b.mayBeTrue && a.mayBeFalse === b.mayBeFalse && a.mayBeNull === b.mayBeNull
}

/** The rows on which it is true for certain. */
export function certainlyTrue({ mayBeTrue, mayBeFalse, mayBeNull }: Vector): bigint {
  return mayBeTrue & ~mayBeFalse & ~mayBeNull
}

/** Whether an answer that fits one cannot fit the other: on some row one is certainly true and the other cannot be. */
export function areApart(a: Vector, b: Vector): boolean {
  return (certainlyTrue(a) & ~b.mayBeTrue) !== 0n || (certainlyTrue(b) & ~a.mayBeTrue) !== 0n
}
