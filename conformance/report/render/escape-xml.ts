/** A text inside an element or a quoted attribute of XML or HTML. What XML 1.0 cannot hold becomes a replacement character. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
