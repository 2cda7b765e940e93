/** Received or outgoing bytes are not HTTP/1.1. The message is for the log and never contains a header's value. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
