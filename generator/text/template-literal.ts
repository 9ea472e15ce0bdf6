/** Text that holds no hidden characters but line breaks, as a template literal that means it, line by line. */
export function templateLiteral(text: string): string {
  return `\`${text.replace(/\\|`|\$(?=\{)/g, '\\$&')}\``
}
