/** Arithmetic; dividing whole numbers gives a whole number, `divby` never does. @see OData URL Conventions 4.01, 5.1.1.2 */
export function calculate(operator: string, left: number, right: number, integral: boolean): number | null {
  switch (operator) {
    case 'add':
      return exact(left + right)
    case 'sub':
      return exact(left - right)
    case 'mul':
      return exact(left * right)
    case 'div':
      if (right === 0) return null
      return integral ? Math.trunc(left / right) : exact(left / right)
    case 'divby':
      return right === 0 ? null : exact(left / right)
    default:
      return right === 0 ? null : exact(left % right)
  }
}

/** Without the last digits that binary fractions add. */
function exact(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(14))
}
