/** The id of a message: the provider's own if it is of this dialect, else derived from the request's id. */
export function toMessageId(id: string, requestId: string): string {
  return id.startsWith('msg_') ? id : `msg_${requestId.replace(/^req_/, '')}`;
}

/** The id of a call without a provider's id, so that its result can name it. */
export function toCallId(id: string, requestId: string, index: number): string {
  return id === '' ? `toolu_${requestId.replace(/^req_/, '')}_${index}` : id;
}
