/** What came, or what was to be sent, is not HTTP/1.1. The message is for the log: it never carries a header's value. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
