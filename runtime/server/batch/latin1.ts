/** Bytes as text: each byte is the character with its number, which `TextDecoder` does not do for `latin1`. */
export function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return text
}

/** The bytes of such a text. */
export function latin1Bytes(text: string): ArrayBuffer {
  const buffer = new ArrayBuffer(text.length)
  const bytes = new Uint8Array(buffer)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return buffer
}
