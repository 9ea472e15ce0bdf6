/** A message as CAP has it: it flattens structures, those in collections apart. */
export function flat({ body, from, ...message }) {
  return {
    ...message,
    ...(body && { body_contentType: body.contentType, body_content: body.content }),
    ...(from && {
      from_emailAddress_address: from.emailAddress.address,
      from_emailAddress_name: from.emailAddress.name,
    }),
  }
}
